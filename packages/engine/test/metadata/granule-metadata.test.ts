import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sunPosition } from "@swath/mosaic/nbar";
import { resolveCrs, transformer } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { anglesOfBand, GranuleMetadataError, readGranuleMetadata } from "../../src/metadata/granule-metadata.ts";

const { SWATH_FIXTURES } = process.env;
const recorded = (name: string): string =>
  readFileSync(join(SWATH_FIXTURES ?? "", "stac", "stactools", "sentinel-2", `${name}.MTD_TL.xml`), "utf8");

const values = (rows: readonly (readonly (number | string)[])[]): string =>
  rows.map((row) => `<VALUES>${row.join(" ")}</VALUES>`).join("");
const directions = (zenith: readonly (readonly (number | string)[])[], azimuth = zenith): string => {
  const grid = (rows: typeof zenith): string =>
    `<COL_STEP unit="m">5000</COL_STEP><ROW_STEP unit="m">5000</ROW_STEP><Values_List>${values(rows)}</Values_List>`;
  return `<Zenith>${grid(zenith)}</Zenith><Azimuth>${grid(azimuth)}</Azimuth>`;
};
const SUN = directions([
  [30, 31],
  [32, 33],
]);
interface Parts {
  readonly head?: string;
  readonly crs?: string;
  readonly sun?: string;
  readonly views?: string;
}
const documentOf = ({ head = "", crs = "EPSG:32633", sun = SUN, views = "" }: Parts = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${head}<n1:Level-2A_Tile_ID xmlns:n1="urn:x"><n1:Geometric_Info><Tile_Geocoding>
  <HORIZONTAL_CS_CODE>${crs}</HORIZONTAL_CS_CODE><Geoposition resolution="10"><ULX>300000</ULX><ULY>5100000</ULY>
  <XDIM>10</XDIM><YDIM>-10</YDIM></Geoposition></Tile_Geocoding><Tile_Angles>
  ${sun === "" ? "" : `<Sun_Angles_Grid>${sun}</Sun_Angles_Grid>`}${views}</Tile_Angles></n1:Geometric_Info></n1:Level-2A_Tile_ID>`;
const view = (bandId: number, zenith: Parameters<typeof directions>[0], azimuth: typeof zenith): string =>
  `<Viewing_Incidence_Angles_Grids bandId="${bandId}" detectorId="1">${directions(zenith, azimuth)}</Viewing_Incidence_Angles_Grids>`;

describe.skipIf(SWATH_FIXTURES === undefined)("recorded granule metadata", () => {
  test.each(["T34LBP_20220401", "T07HFE_20190212"])(
    "%s: angles of 13 bands on 23 by 23 nodes",
    { tags: ["OS13"] },
    (name) => {
      const { nodes, sun, views } = readGranuleMetadata(recorded(name));
      expect([nodes.width, nodes.height, nodes.transform[0], nodes.transform[4]]).toEqual([23, 23, 5000, -5000]);
      expect([...views.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      for (const { zenith, azimuth } of views.values()) {
        expect(Math.min(...zenith)).toBeGreaterThan(0);
        // a granule at the edge of a swath
        expect(Math.max(...zenith)).toBeLessThan(13);
        expect(azimuth.every((each) => each >= 0 && each <= 360)).toBe(true);
      }
      expect(sun.zenith.every((each) => each > 0 && each < 90)).toBe(true);
    },
  );

  test.each([["T34LBP_20220401", "2022-04-01T09:03:19.283Z"]])(
    "%s: ESA's sun is where it is computed to be",
    { tags: ["OS13"] },
    (name, sensed) => {
      const { nodes, sun } = readGranuleMetadata(recorded(name));
      const toDegrees = transformer(resolveCrs(nodes.crs), resolveCrs("EPSG:4326"));
      const [step, , west, , , north] = nodes.transform;
      for (const [column, row] of [
        [0, 0],
        [11, 11],
        [22, 22],
      ] as const) {
        const [longitude, latitude] = toDegrees(west + column * step, north - row * step);
        const computed = sunPosition(Date.parse(sensed), longitude, latitude);
        const i = row * 23 + column;
        // the sensing time is that of the granule's beginning, up to 15 s from a node's
        expect(Math.abs(computed.zenith - sun.zenith[i]!)).toBeLessThan(0.08);
        expect(Math.abs(computed.azimuth - sun.azimuth[i]!)).toBeLessThan(0.15);
      }
    },
  );

  test("without grids of view angles has none of any band", () => {
    const granule = readGranuleMetadata(recorded("T34VEL_20240108.no-angles"));
    expect(granule.views.size).toBe(0);
    expect(anglesOfBand(granule, 3)).toBeUndefined();
  });
});

describe("view angles", () => {
  const two = documentOf({
    views:
      view(
        3,
        [
          [10, "NaN"],
          ["NaN", "NaN"],
        ],
        [
          [90, "NaN"],
          ["NaN", "NaN"],
        ],
      ) +
      view(
        3,
        [
          [10, 4],
          ["NaN", "NaN"],
        ],
        [
          [270, 100],
          ["NaN", "NaN"],
        ],
      ) +
      view(
        4,
        [
          ["NaN", "NaN"],
          ["NaN", "NaN"],
        ],
        [
          ["NaN", "NaN"],
          ["NaN", "NaN"],
        ],
      ),
  });

  test("are the mean direction of the detectors that saw a node, and elsewhere that of the nearest seen node", () => {
    const { views, nodes } = readGranuleMetadata(two);
    expect(nodes.transform).toEqual([5000, 0, 300_000, 0, -5000, 5_100_000]);
    const band = views.get(3);
    // from the east and from the west: from above
    expect([...(band?.zenith ?? [])]).toEqual([0, 4, 0, 4].map((each) => expect.closeTo(each, 4)));
    expect(band?.azimuth[1]).toBeCloseTo(100, 4);
    expect(band?.azimuth[3]).toBeCloseTo(100, 4);
  });

  test("of a band that no detector saw are none", () => {
    const granule = readGranuleMetadata(two);
    expect(anglesOfBand(granule, 4)).toBeUndefined();
    expect(anglesOfBand(granule, 5)).toBeUndefined();
    expect(anglesOfBand(granule, 3)?.angles[1]).toEqual({
      sunZenith: 31,
      sunAzimuth: 31,
      viewZenith: expect.closeTo(4, 4),
      viewAzimuth: expect.closeTo(100, 4),
    });
  });
});

describe("refused is", () => {
  const many = (count: number, text: string): string => text.repeat(count);
  test.each([
    ["text that is no XML", "PK\u0003\u0004 not xml"],
    ["an empty document", ""],
    ["a document that is cut off", documentOf().slice(0, 500)],
    ["a document type", documentOf({ head: '<!DOCTYPE x [<!ENTITY a "aaaa">]>' })],
    ["an entity that is not declared", documentOf({ crs: "&a;" })],
    ["deep nesting", `${many(100_000, "<a>")}${many(100_000, "</a>")}`],
    ["a CRS that there is not", documentOf({ crs: "EPSG:999999" })],
    [
      "words for numbers",
      documentOf({
        sun: directions([
          ["a", 1],
          [2, 3],
        ]),
      }),
    ],
    ["endless numbers", documentOf({ sun: directions([Array.from({ length: 100_000 }, () => 1)]) })],
    ["endless rows", documentOf({ sun: directions(Array.from({ length: 65 }, () => [1, 2])) })],
    ["endless detectors", documentOf({ views: many(200, view(1, [[1]], [[1]])) })],
    ["grids of other sizes", documentOf({ views: view(1, [[1]], [[1]]) })],
    ["rows of different lengths", documentOf({ sun: directions([[1, 2], [3]]) })],
    ["a single node", documentOf({ sun: directions([[1]]) })],
  ])("%s", (_name, xml) => {
    const read = (): unknown => readGranuleMetadata(xml);
    expect(read).toThrow(GranuleMetadataError);
    expect(read).toThrow(expect.objectContaining({ code: "malformed" }));
  });

  test("nothing else: a whole document is read", () => {
    expect(readGranuleMetadata(documentOf()).sun.zenith).toEqual(Float32Array.of(30, 31, 32, 33));
    expect(() => readGranuleMetadata(documentOf({ sun: "" }))).toThrow(expect.objectContaining({ code: "no-angles" }));
  });
});
