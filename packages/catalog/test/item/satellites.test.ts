import { expect, test } from "vitest";
import { createArchiveCatalog, createVirtualCatalog } from "../../src/index.ts";
import { satellitesOf, sensorOf } from "../../src/item/satellites.ts";
import { search } from "../catalog-suite.ts";
import type { Document } from "../fixtures.ts";

const MINUTE = 60_000;

test.each([
  { name: "its platform", scenes: [["landsat-8", "oli", 0]], expected: ["landsat-8"] },
  {
    name: "that of the scene beside it",
    scenes: [
      ["sentinel-2b", "msi", 0],
      ["", "msi", 9],
    ],
    expected: ["sentinel-2b", "sentinel-2b"],
  },
  {
    name: "not that of eleven minutes before",
    scenes: [
      ["sentinel-2b", "msi", 0],
      ["", "msi", 11],
    ],
    expected: ["sentinel-2b", "? msi"],
  },
  {
    name: "not that of another instrument",
    scenes: [
      ["landsat-8", "oli", 0],
      ["", "msi", 1],
    ],
    expected: ["landsat-8", "? msi"],
  },
  {
    name: "none of two",
    scenes: [
      ["a", "msi", 0],
      ["b", "msi", 5],
      ["", "msi", 2],
    ],
    expected: ["a", "b", "? msi"],
  },
  {
    name: "alone where nothing is known",
    scenes: [
      ["", "", 0],
      ["", "", 1],
    ],
    expected: ["? 0", "? 1"],
  },
] as const)("a scene has $name", ({ scenes, expected }) => {
  const made = scenes.map(([platform, instrument, minutes]) => ({
    sensor: sensorOf({
      datetime: null,
      ...(platform === "" ? {} : { platform }),
      ...(instrument === "" ? {} : { instruments: [instrument] }),
    }),
    time: minutes * MINUTE,
  }));
  expect(satellitesOf(made)).toEqual(expected);
});

/** A granule in the form of CMR-STAC, which names neither platform nor instruments. */
function granule(product: "L30" | "S30", time: string, version: string): Document {
  const id = `HLS.${product}.T13TGF.${time.slice(0, 4)}319T${time.slice(11, 19).replaceAll(":", "")}.${version}`;
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection: `HLS${product}_2.0`,
    geometry: { type: "Point", coordinates: [-101.7, 41] },
    properties: { datetime: time, "eo:cloud_cover": 25 },
    links: [],
    assets: { B04: { href: `https://example.org/${id}.B04.tif`, roles: ["data"] } },
  };
}

test("of two processings of a granule without a platform the virtual collection has one, and both sensors stay", async () => {
  // in these weeks Landsat 9 was below Landsat 8, and no Sentinel-2 was there at this time
  const items = [
    granule("L30", "2021-11-15T20:24:06.480Z", "v2.0"),
    granule("L30", "2021-11-15T20:24:07.480Z", "v2.1"),
    granule("S30", "2021-11-15T20:28:06.480Z", "v2.0"),
  ];
  const catalog = createVirtualCatalog({ catalog: createArchiveCatalog({ items }) });
  const page = await catalog.search(search({ collections: ["optical-sr"] }));
  expect(page.items.map(({ id, properties }) => [id.slice(4, 7), id.slice(-4), properties.platform])).toEqual([
    ["S30", "v2.0", undefined],
    ["L30", "v2.1", undefined],
  ]);
});
