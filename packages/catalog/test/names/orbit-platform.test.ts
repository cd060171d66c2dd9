import { collections } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { orbitPhase, platformByOrbit } from "../../src/names/orbit-platform.ts";
import { type Document, fixtures, recordedFiles, recordedItems } from "../fixtures.ts";

const rules = collections.hls.upstream.platformFromOrbit ?? [];
const [landsat] = rules as [(typeof rules)[number], (typeof rules)[number]];

const LATITUDE_OF_13TDE = 40.15;

/** Middle latitude of a footprint, degrees. */
function middleOf(geometry: unknown): number {
  const latitudes: number[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value) && typeof value[0] === "number") latitudes.push(Number(value[1]));
    else if (Array.isArray(value)) value.forEach(collect);
  };
  collect((geometry as { coordinates: unknown }).coordinates);
  return (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
}

describe.skipIf(fixtures === undefined)("the platform by the orbit", () => {
  const files = recordedFiles();
  const timedIn = (folder: string) =>
    files
      .filter(({ path }) => path.includes(folder))
      .flatMap(({ items }) => items)
      .filter(
        ({ properties, geometry }) =>
          geometry !== undefined && /T\d\d:\d\d:\d\d\.\d*[1-9]/.test(String((properties as Document).datetime)),
      );
  const judged = (items: readonly Document[], pattern: RegExp, family: string, rule: string) =>
    items.flatMap((item) => {
      const satellite = pattern.exec(String(item.id))?.[1]?.toLowerCase();
      if (satellite === undefined) return [];
      const time = Date.parse(String((item.properties as Document).datetime));
      const found = platformByOrbit(rules, rule, time, middleOf(item.geometry));
      return [{ id: item.id, platform: `${family}${satellite}`, found }];
    });

  test("is that of every recorded scene of Landsat 8 and 9", { tags: ["I18"] }, () => {
    // Landsat 9 was brought to its place in the last two months of 2021
    const settled = timedIn("").filter(({ properties }) => {
      const time = String((properties as Document).datetime);
      return time < "2021-10-31" || time >= "2022";
    });
    const scenes = judged(settled, /^L[CO]0([89])_/, "landsat-", "HLS.L30.");
    expect(scenes.length).toBeGreaterThan(25);
    expect(new Set(scenes.map(({ platform }) => platform))).toEqual(new Set(["landsat-8", "landsat-9"]));
    for (const { id, platform, found } of scenes) expect([id, found]).toEqual([id, platform]);
  });

  test("is that of every recorded scene of Sentinel-2 whose time is its own and not that of its datastrip", () => {
    // other archives give all scenes of a datastrip the time of its beginning
    const scenes = judged(timedIn("/earth-search/"), /^S2([ABC])_/, "sentinel-2", "HLS.S30.");
    expect(scenes.length).toBeGreaterThan(40);
    for (const { id, platform, found } of scenes) expect([id, found]).toEqual([id, platform]);
  });

  test("is that of scenes of 2025, when three Sentinel-2 shared the orbit", () => {
    const answer = recordedItems("earth-search/v1/search-fields-exclude.body.json");
    const found = answer.map(({ id, properties }) => {
      const time = Date.parse(String((properties as Document).datetime));
      return [id, platformByOrbit(rules, "HLS.S30.", time, LATITUDE_OF_13TDE)];
    });
    expect(found).toEqual(answer.map(({ id }) => [id, `sentinel-2${String(id).slice(2, 3).toLowerCase()}`]));
    expect(new Set(found.map(([, platform]) => platform)).size).toBe(3);
  });

  test("is that of the recorded granules of HLS, as their metadata names it", { tags: ["I18"] }, () => {
    const granules = recordedFiles("nasa-cmr").flatMap(({ document }) => granulesOf(document));
    expect(granules.length).toBeGreaterThan(1);
    for (const { umm } of granules) {
      const attribute = umm.AdditionalAttributes.find(({ Name }) => Name === "LANDSAT_PRODUCT_ID");
      const points = umm.SpatialExtent.HorizontalSpatialDomain.Geometry.GPolygons[0]?.Boundary.Points ?? [];
      const latitudes = points.map(({ Latitude }) => Latitude);
      const latitude = (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
      const time = Date.parse(umm.TemporalExtent.RangeDateTime.BeginningDateTime);
      const named = `landsat-${attribute?.Values[0]?.slice(3, 4)}`;
      expect(platformByOrbit(rules, umm.GranuleUR, time, latitude)).toBe(named);
    }
  });
});

interface Granule {
  readonly umm: {
    readonly GranuleUR: string;
    readonly TemporalExtent: { readonly RangeDateTime: { readonly BeginningDateTime: string } };
    readonly AdditionalAttributes: readonly { readonly Name: string; readonly Values: readonly string[] }[];
    readonly SpatialExtent: {
      readonly HorizontalSpatialDomain: {
        readonly Geometry: {
          readonly GPolygons: readonly {
            readonly Boundary: { readonly Points: readonly { readonly Latitude: number }[] };
          }[];
        };
      };
    };
  };
}

function granulesOf(document: unknown): readonly Granule[] {
  return ((document as Document).response as { readonly body: { readonly items: readonly Granule[] } }).body.items;
}

describe("a platform stays unknown", () => {
  const noon = Date.parse("2023-06-15T12:00:00Z");
  test.each([
    { why: "for an id without a rule", id: "S2A_T13TDE", time: noon, latitude: 10 },
    { why: "without a time", id: "HLS.L30.T13TGF", time: Number.NaN, latitude: 10 },
  ])("$why", ({ id, time, latitude }) => {
    expect(platformByOrbit(rules, id, time, latitude)).toBeUndefined();
  });

  test("where neither satellite was near, and while one was under the other", { tags: ["I18"] }, () => {
    const length = (landsat.days * 86_400_000) / landsat.orbits;
    const phase = orbitPhase(landsat, noon, 10);
    // a quarter of an orbit from the first satellite is a quarter from the second
    const between = noon + (((246 - phase + 90 + 360) % 360) / 360) * length;
    expect(platformByOrbit(rules, "HLS.L30.", between, 10)).toBeUndefined();
    const there = Date.parse("2021-11-15T00:00:00Z");
    const over = there + (((246 - orbitPhase(landsat, there, 10) + 360) % 360) / 360) * length;
    expect(platformByOrbit(rules, "HLS.L30.", over, 10)).toBeUndefined();
  });
});
