import { defaultRegistry } from "@swath/schema";
import { expect, test } from "vitest";
import { createUpstreamCatalog } from "../../src/index.ts";
import { search } from "../catalog-suite.ts";

/** Items in the shape of Planetary Computer's `sentinel-1-rtc`. */
const items = Array.from({ length: 23 }, (_, i) => ({
  type: "Feature",
  stac_version: "1.0.0",
  id: `S1A_IW_GRDH_1SDV_202407${String(30 - i).padStart(2, "0")}T051129_rtc`,
  collection: "sentinel-1-rtc",
  geometry: { type: "Point", coordinates: [13, 46] },
  properties: { datetime: `2024-07-${String(30 - i).padStart(2, "0")}T05:11:29Z`, platform: "SENTINEL-1A" },
  assets: {
    vv: { href: `https://sentinel1euwestrtc.blob.core.windows.net/sentinel1-grd-rtc/${i}/vv.tif`, type: "image/tiff" },
  },
  links: [],
}));

/** A STAC API whose next link has a token of its own: `token: next:{collection}:{id}`. */
async function answer(_url: string | URL, init?: RequestInit): Promise<Response> {
  const body = JSON.parse(String(init?.body)) as { limit: number; token?: string };
  const from = body.token === undefined ? 0 : items.findIndex(({ id }) => body.token?.endsWith(id)) + 1;
  const page = items.slice(from, from + body.limit);
  const token = `next:sentinel-1-rtc:${page.at(-1)?.id}`;
  const next = { rel: "next", method: "POST", href: "https://pc.test/search", merge: false, body: { ...body, token } };
  return Response.json({
    type: "FeatureCollection",
    features: page,
    links: from + body.limit < items.length ? [next] : [],
  });
}

test("an upstream with tokens of its own is paged to the end without losing or repeating an item", async () => {
  const options = { url: "https://pc.test", name: "pc", registry: defaultRegistry, retries: 0, fetch: answer };
  const catalog = createUpstreamCatalog(options);
  for (const limit of [1, 5, 23, 100]) {
    const found: string[] = [];
    let token: string | undefined;
    do {
      const query = search({ collections: ["sentinel-1-rtc"], limit });
      const page = await catalog.search(token === undefined ? query : { ...query, token });
      expect(page.items.length).toBeGreaterThan(0);
      found.push(...page.items.map(({ id }) => id));
      token = page.next;
    } while (token !== undefined);
    expect(found).toEqual(items.map(({ id }) => id));
  }
});

test("its items have native band names, one platform spelling and hrefs as they come, unsigned", async () => {
  const catalog = createUpstreamCatalog({ url: "https://pc.test", name: "pc", retries: 0, fetch: answer });
  const { items: found } = await catalog.search(search({ collections: ["sentinel-1-rtc"], limit: 1 }));
  expect(found[0]?.properties.platform).toBe("sentinel-1a");
  expect(found[0]?.assets.VV?.href).toBe("https://sentinel1euwestrtc.blob.core.windows.net/sentinel1-grd-rtc/0/vv.tif");
});
