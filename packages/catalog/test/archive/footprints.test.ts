import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bbox, Geometry } from "@swath/geometry";
import type { ItemQuery } from "@swath/query";
import { describe, expect, test } from "vitest";
import { createUpstreamCatalog } from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import { plainRegistry } from "../collection-files.ts";
import { type Document, fixtures, recorded } from "../fixtures.ts";
import { KINDS, kindUpstream } from "../upstream/kind-upstream.ts";

/** A footprint, as its western and eastern end and its latitudes, the east beyond 180 where it crosses it. */
type Box = readonly [west: number, south: number, east: number, north: number];

/** Rings of the same rectangle, as archives write it where it crosses 180 degrees. */
const WRITTEN: Readonly<Record<string, (extent: Box) => Geometry>> = {
  "cut at 180": ([west, south, east, north]) => ({
    type: "MultiPolygon",
    coordinates: [[ring(west, south, 180, north)], [ring(-180, south, east - 360, north)]],
  }),
  "beyond 180": ([west, south, east, north]) => polygon(ring(west, south, east, north)),
  "below -180": ([west, south, east, north]) => polygon(ring(west - 360, south, east - 360, north)),
  "the wrong way round the world": ([west, south, east, north]) => polygon(ring(west, south, east - 360, north)),
};

function ring(west: number, south: number, east: number, north: number): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function polygon(coordinates: [number, number][]): Geometry {
  return { type: "Polygon", coordinates: [coordinates] };
}

/** A scene with a footprint. */
function scene(geometry: unknown): Document {
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id: "S2A_T01KAB_20230821T221944_L2A",
    collection: "sentinel-2-c1-l2a",
    // some archives write it around the world
    bbox: [-180, -20, 180, 20],
    geometry,
    properties: { datetime: "2023-08-21T22:19:41.024000Z", platform: "sentinel-2a", "eo:cloud_cover": 3 },
    links: [],
    assets: { red: { href: "https://data.example/B04.tif", type: "image/tiff; application=geotiff" } },
  };
}

/** Small areas around a place, in each of the forms that a search takes. */
function areasAt(longitude: number, latitude: number): Pick<ItemQuery, "bbox" | "intersects">[] {
  const wrapped = (value: number): number => (value > 180 ? value - 360 : value < -180 ? value + 360 : value);
  const [west, east] = [wrapped(longitude - 0.01), wrapped(longitude + 0.01)];
  const [south, north] = [latitude - 0.01, latitude + 0.01];
  const bbox: Bbox = [west, south, east, north];
  return [
    { bbox },
    { intersects: { type: "Point", coordinates: [wrapped(longitude), latitude] } },
    ...(west < east ? [{ intersects: polygon(ring(west, south, east, north)) }] : []),
  ];
}

async function found(kind: (typeof KINDS)[number], item: Document, area: object): Promise<number> {
  const { url, fetch } = kindUpstream(kind, [item]);
  const catalog = createUpstreamCatalog({ url, fetch, retries: 0, registry: plainRegistry });
  return (await catalog.search(search({ collections: ["sentinel-2-l2a"], ...area }))).items.length;
}

/** Longitudes on a footprint, and the same turned about the globe, which are not. */
function places([west, south, east, north]: Box) {
  const width = east - west;
  const latitude = (south + north) / 2;
  const inside = [0.1, 0.5, 0.9].map((part) => west + part * width);
  const outside = [west - 0.5, east + 0.5, west - 90, west - 180, 0, 90, -90];
  return { latitude, inside: [...inside, 180], outside };
}

/** A rectangle of the size of a scene, and a strip of a mosaic. */
const EXTENTS: readonly Box[] = [
  [179.3, -17.2, 180.25, -16.3],
  [178.6, 68.4, 180.8, 69.3],
];

describe.each(KINDS)("an upstream of the kind %s finds a footprint", (kind) => {
  test.each(Object.keys(WRITTEN))(
    "that is written %s from both sides of 180 degrees, and nowhere else",
    async (way) => {
      for (const extent of EXTENTS) {
        const item = scene(WRITTEN[way]?.(extent));
        const { latitude, inside, outside } = places(extent);
        for (const longitude of inside) {
          for (const area of areasAt(longitude, latitude)) {
            expect(await found(kind, item, area), `${longitude} ${JSON.stringify(area)}`).toBe(1);
          }
        }
        for (const longitude of outside) {
          for (const area of areasAt(longitude, latitude)) {
            expect(await found(kind, item, area), `${longitude} ${JSON.stringify(area)}`).toBe(0);
          }
        }
      }
    },
  );

  test.skipIf(fixtures === undefined)("that an archive has written, where it is", async () => {
    const live = (path: string) =>
      JSON.parse(readFileSync(join(fixtures ?? "", "live", path), "utf8")) as Document & { features: Document[] };
    const mosaic = live("other/item-dep-geomad-world-wrapping.json");
    // the corners that both halves of it have, apart from 180
    await expectAt(kind, mosaic, [179.96779787822723, -18.477840859860567, 180.830180550982, -17.65272718152993]);
    const sentinel = recorded("stac-1.1/antimeridian-S2A_T01KAB_20230821.json");
    await expectAt(kind, sentinel, [179.26, -17.23, 180.27, -16.27]);
    const north = recorded("stac-1.1/antimeridian-S2A_T01WCS_20230625.json");
    // the middle of its cut side, which is slanted
    for (const [longitude, count] of [
      [180, 1],
      [-179.6, 1],
      [179.7, 1],
      [179.1, 0],
      [-178.9, 0],
      [0, 0],
    ] as const) {
      for (const area of areasAt(longitude, 68.9)) expect(await found(kind, scene(north.geometry), area)).toBe(count);
    }
    const { response } = live("planetary-computer/search-landsat-8-c2-l2-near-antimeridian.json") as unknown as {
      response: { body: { features: Document[] } };
    };
    const [first] = response.body.features;
    for (const [longitude, count] of [
      [-176.2, 1],
      [-178.5, 0],
      [178.5, 0],
      [180, 0],
    ] as const) {
      for (const area of areasAt(longitude, -44.5)) expect(await found(kind, scene(first?.geometry), area)).toBe(count);
    }
    const cover = live("planetary-computer/item-io-lulc-60U-2020-antimeridian.json");
    for (const [longitude, count] of [
      [177.9, 1],
      [179.9, 0],
      [-179.9, 0],
      [0, 0],
    ] as const) {
      for (const area of areasAt(longitude, 51)) expect(await found(kind, scene(cover.geometry), area)).toBe(count);
    }
  });
});

async function expectAt(kind: (typeof KINDS)[number], { geometry }: Document, extent: Box): Promise<void> {
  const { latitude, inside, outside } = places(extent);
  for (const longitude of inside) {
    for (const area of areasAt(longitude, latitude)) expect(await found(kind, scene(geometry), area)).toBe(1);
  }
  for (const longitude of outside) {
    for (const area of areasAt(longitude, latitude)) expect(await found(kind, scene(geometry), area)).toBe(0);
  }
}
