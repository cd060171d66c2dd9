import type { Item } from "@swath/catalog";
import { findBand } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { bandOfItem } from "../../src/items/item-bands.ts";
import { matchOf } from "../what/registry.ts";
import { itemOf } from "./items.ts";
import { COLORADO, COLORADO_PAIR, fixtures, recordedItems } from "./recorded.ts";

const [S2, LANDSAT, OPTICAL] = ["sentinel-2-l2a", "landsat-ot-l2", "optical-sr"].map(
  (id) => matchOf(id).collection,
) as [
  ReturnType<typeof matchOf>["collection"],
  ReturnType<typeof matchOf>["collection"],
  ReturnType<typeof matchOf>["collection"],
];
const asMember = (item: Item): Item => ({
  ...item,
  properties: { ...item.properties, "svc:source_collection": item.collection },
});

describe.skipIf(fixtures === undefined)("bands of recorded items", () => {
  test.each([
    ["red", "B04", /\/S2A_T13TDE_20240422T174753_L2A\/B04\.tif$/],
    ["swir16", "B11", /\/B11\.tif$/],
    ["nir08", "B8A", /\/B8A\.tif$/],
    ["SCL", "SCL", /\/SCL\.tif$/],
  ])("%s of Sentinel-2 is %s in the file that the archive names", (name, native, href) => {
    const [item] = recordedItems(COLORADO);
    const found = bandOfItem(item!, S2, findBand(S2, name)!);
    expect(found).toMatchObject({ collection: { id: "sentinel-2-l2a" }, band: { name: native }, index: 0 });
    expect(found?.file.href).toMatch(href);
  });

  test.each([
    ["red", "B04", "SR_B4"],
    ["nir08", "B8A", "SR_B5"],
    ["swir22", "B12", "SR_B7"],
  ])("%s of optical-sr is the band of that name of the item's own collection", (name, sentinel, landsat) => {
    const items = [recordedItems(COLORADO)[0]!, ...recordedItems(COLORADO_PAIR)];
    const band = findBand(OPTICAL, name)!;
    const found = ["sentinel-2-l2a", "landsat-ot-l2"].map((id) =>
      bandOfItem(asMember(items.find(({ collection }) => collection === id)!), OPTICAL, band),
    );
    expect(found.map((each) => each?.collection.id)).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
    expect(found.map((each) => each?.band.name)).toEqual([sentinel, landsat]);
    expect(found[1]?.file.href).toContain(`_${landsat}.TIF`);
  });
});

describe("an item lacks a band", () => {
  test("whose file it does not have", () => {
    const band = findBand(S2, "B08")!;
    expect(bandOfItem(itemOf(S2), S2, band)?.file).toEqual({ href: "archive:B08.tif" });
    expect(bandOfItem(itemOf(S2, { without: ["B08"] }), S2, band)).toBeUndefined();
  });

  test("of a virtual collection where it is of no member, or its member has no such band", () => {
    const red = findBand(OPTICAL, "red")!;
    expect(bandOfItem(itemOf(S2), OPTICAL, red)).toBeUndefined();
    const stray = itemOf(S2, { properties: { "svc:source_collection": "dem-glo-30" } });
    expect(bandOfItem(stray, OPTICAL, red)).toBeUndefined();
    expect(bandOfItem(asMember({ ...itemOf(LANDSAT) }), OPTICAL, { ...red, name: "rededge071" })).toBeUndefined();
  });
});

test("each band of a file of several has its number there", () => {
  const files = ["sentinel-1-rtc", "hls-s30", "cop-dem-glo-30"].flatMap((id) => matchOf(id)?.collection ?? []);
  for (const collection of [S2, LANDSAT, ...files]) {
    const item = itemOf(collection);
    for (const band of collection.bands) {
      const found = bandOfItem(item, collection, band);
      expect([found?.band.name, found?.index]).toEqual([band.name, expect.any(Number)]);
      const sharing = collection.bands.filter((other) => bandOfItem(item, collection, other)?.asset === found?.asset);
      const numbers = sharing.map((other) => bandOfItem(item, collection, other)?.index);
      expect(new Set(numbers).size).toBe(sharing.length);
    }
  }
});
