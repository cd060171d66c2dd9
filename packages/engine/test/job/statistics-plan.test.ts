import type { Item } from "@swath/catalog";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planStatistics, readStatistics, statisticsScenes } from "../../src/job/statistics-plan.ts";
import type { SceneMetadata } from "../../src/read/read-metadata.ts";
import type { StatisticsRequest } from "../../src/request.ts";
import { itemOf } from "../items/items.ts";
import { COLORADO, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf, registry } from "../what/registry.ts";
import { refusalOf } from "../where/refusal-of.ts";

const S2 = "sentinel-2-l2a";
const { collection } = matchOf(S2);
const PLAIN: SceneMetadata = { complete: (item) => item, factors: new Map() };

function requestOf(more: Partial<{ [K in keyof StatisticsRequest]: object }> = {}): StatisticsRequest {
  return {
    where: { kind: "area", bbox: [-105.2, 40, -105.1, 40.1], frame: { width: 256, height: 128 }, ...more.where },
    when: { collections: [S2], time: "2024-04-01/2024-04-30", ...more.when },
    what: { index: "ndvi", ...more.what },
    into: { kind: "intervals", ...more.into },
  };
}
const specOf = (more: Parameters<typeof requestOf>[0] = {}) => readStatistics(requestOf(more), registry);
const scenesOf = (items: readonly Item[], more: Parameters<typeof requestOf>[0] = {}) =>
  statisticsScenes(specOf(more), items);
const idsOf = ({ groups }: ReturnType<typeof statisticsScenes>) => groups.map(({ items }) => items.map(({ id }) => id));
const at = (datetime: string | null, more: object = {}, id = datetime ?? "timeless"): Item =>
  itemOf(collection, { id, properties: { datetime, ...more } });

describe.skipIf(fixtures === undefined)("nine recorded overpasses of April 2024", () => {
  const items = recordedItems(COLORADO).filter(({ properties }) => properties.datetime! > "2024-04");
  const days = (more: Parameters<typeof requestOf>[0]) =>
    idsOf(scenesOf(items, more)).map((ids) => ids.map((id) => Number(/_2024(\d{4})T/.exec(id)?.[1])));

  test("fall into ten days each: the newest lies on top", () => {
    expect(days({ when: { every: "P10D" } })).toEqual([[410, 407, 405, 402], [420, 417, 415, 412], [422]]);
  });

  test("may have the least cloud on top: 0.04 %, 0.1, 0.9, 12, 22 and 78 to 95, as the items say", () => {
    expect(days({ when: { order: "leastCC" } })).toEqual([[412, 402, 407, 405, 415, 410, 417, 422, 420]]);
  });

  test("are read up to a share of cloud", () => {
    expect(days({ when: { maxCloudCover: 20 } })).toEqual([[412, 407, 405, 402]]);
    expect(days({ when: { maxCloudCover: 0.05 } })).toEqual([[412]]);
    expect(days({ when: { maxCloudCover: 100 } })[0]).toHaveLength(9);
  });

  /** A unit is 512 × 512 pixels of three bands from one date: 256 × 128 of two bands are 1/12 of one. */
  test("cost 256 × 128 pixels of two bands for each day", () => {
    const cost = (more: Parameters<typeof requestOf>[0]) => scenesOf(items, more).units;
    expect(cost({})).toBeCloseTo(9 / 12, 12);
    expect(cost({ when: { maxCloudCover: 20 } })).toBeCloseTo(4 / 12, 12);
    expect(cost({ what: { index: undefined, bands: ["red", "green", "SCL"], units: "DN" } })).toBeCloseTo(
      (9 * 3) / 24,
      12,
    );
    expect(scenesOf([]).units).toBe(0.01);
  });

  test("without a size have the pixels of the files: multiples of 10 m in zone 13", () => {
    const { grid, region } = scenesOf(items, { where: { frame: undefined } }).grid;
    expect(grid.crs.name).toBe("EPSG:32613");
    expect(grid.transform.map((each) => each % 10)).toEqual([0, 0, 0, 0, -0, 0]);
    expect(region).toBeDefined();
  });
});

describe("days", () => {
  test("count once, however many scenes they have, and again in another interval", () => {
    const noon = ["09:00:00Z", "09:00:15Z", "21:00:00Z"].map((time) => at(`2024-04-03T${time}`));
    expect(scenesOf(noon).units).toBeCloseTo(1 / 12, 12);
    // the third of April is cut in two at noon: a day in each
    expect(
      scenesOf(noon, { when: { time: "2024-04-03T00:00:00Z/2024-04-04T00:00:00Z", every: "PT12H" } }).units,
    ).toBeCloseTo(2 / 12, 12);
  });

  test("of scenes without a time are none: they are in no interval", () => {
    const { groups, items, units } = scenesOf([at(null), at("2024-04-05T00:00:00Z")]);
    expect([groups.flatMap((group) => group.items).length, items.length]).toEqual([1, 1]);
    expect(units).toBeCloseTo(1 / 12, 12);
  });
});

test("each item is in the interval that begins last before it, and none is lost", () => {
  const start = Date.parse("2024-01-01T00:00:00Z");
  const moment = fc
    .integer({ min: 0, max: 60 * 86_400 })
    .map((seconds) => new Date(start + 1000 * seconds).toISOString());
  fc.assert(
    fc.property(
      fc.uniqueArray(moment, { maxLength: 12 }),
      fc.constantFrom("P1D", "P7D", "P10D", "P1M"),
      (times, every) => {
        const when = { time: "2024-01-01/2024-03-01", every };
        const spec = specOf({ when });
        const { groups, items } = scenesOf(
          times.map((time) => at(time)),
          { when },
        );
        expect(groups).toHaveLength(spec.intervals.length);
        expect(items.map(({ id }) => id).toSorted()).toEqual(times.toSorted());
        for (const [i, group] of groups.entries()) {
          const { from, to } = spec.intervals[i]!;
          for (const item of group.items) {
            const time = Date.parse(item.properties.datetime!);
            expect(time >= from && (time < to || i === groups.length - 1)).toBe(true);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("cost grows with pixels, bands and days", () => {
  const items = ["2024-04-03T00:00:00Z", "2024-04-08T00:00:00Z"].map((time) => at(time));
  const side = fc.integer({ min: 200, max: 1500 });
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 500 }), (width, height, more) => {
      const cost = (own: number, bands: readonly string[], count: number) =>
        scenesOf(items.slice(0, count), {
          where: { frame: { width: own, height } },
          what: { index: undefined, bands },
        }).units;
      const least = cost(width, ["red"], 1);
      expect(cost(width + more, ["red"], 1)).toBeGreaterThan(least);
      expect(cost(width, ["red", "nir"], 1)).toBeCloseTo(2 * least, 9);
      expect(cost(width, ["red"], 2)).toBeCloseTo(2 * least, 9);
    }),
    { numRuns: 40 },
  );
});

describe("the job", () => {
  const items = ["2024-04-03T00:00:00Z", "2024-04-25T00:00:00Z"].map((time) => at(time));
  const every = { when: { every: "P10D" } };

  test("has a group for each interval with scenes, and the intervals without any stay in the answer", () => {
    const { job, intervals, outputs } = planStatistics(scenesOf(items, every), PLAIN);
    expect(intervals.map(({ items: own, scenes }) => [own.length, scenes.length])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
    expect(job.grids).toHaveLength(1);
    expect(job.grids[0]?.groups.map(({ id }) => id)).toEqual(["0", "2"]);
    expect(outputs.map(({ name }) => name)).toEqual(["ndvi"]);
    const [read] = job.grids[0]!.groups[0]!.reads;
    expect(read).toMatchObject({
      kind: "scenes",
      math: { bands: ["B08", "B04"], expressions: ["(B08 - B04) / (B08 + B04)"] },
      scenes: [{ mask: { href: "archive:SCL.tif" } }],
    });
  });

  test("has the calculations of each output, its own or the default", () => {
    const more = {
      what: { index: undefined, bands: ["red", "nir"] },
      into: { calculations: { default: { percentiles: [50] }, nir: { percentiles: [10, 90] } } },
    };
    const { outputs } = planStatistics(scenesOf(items, more), PLAIN);
    expect(outputs.map(({ name, reducers }) => [name, reducers.map(({ kind }) => kind)])).toEqual([
      ["red", ["moments", "extremes", "percentiles"]],
      ["nir", ["moments", "extremes", "percentiles"]],
    ]);
    expect(outputs[1]?.reducers[2]).toEqual({ kind: "percentiles", at: [10, 90] });
  });

  test("of scenes that all lack a band is a fault of the request; one such scene is left out and named", () => {
    const bare = itemOf(collection, { id: "bare", without: ["B08"], properties: { datetime: "2024-04-04T00:00:00Z" } });
    const refusal = refusalOf(() => planStatistics(scenesOf([bare]), PLAIN));
    expect(refusal).toMatchObject({ code: "unknown-band", path: ["what", "index"] });
    const { intervals } = planStatistics(scenesOf([bare, ...items]), PLAIN);
    expect(intervals[0]?.missing).toEqual([{ id: "bare", reason: "it has no band B08", lacksBand: true }]);
    expect(intervals[0]?.scenes).toHaveLength(2);
  });
});

test("classes that the mask of the scenes cannot show are named by collection", () => {
  // SCL tells no clear ground beside a cloud apart: it has no class of it
  const { undetectable } = scenesOf([at("2024-04-05T00:00:00Z")], {
    what: { mask: { exclude: ["cloud", "cloud_adjacent"] } },
  });
  expect(undetectable).toEqual({ [S2]: ["cloud_adjacent"] });
  expect(scenesOf([at("2024-04-05T00:00:00Z")]).undetectable).toEqual({});
});

test.each<[string, Parameters<typeof requestOf>[0], string, (string | number)[], object?]>([
  ["no time", { when: { time: undefined } }, "invalid", ["when", "time"]],
  ["a time with an open end", { when: { time: "2024-01-01/.." } }, "invalid", ["when", "time"]],
  ["a duration that is none", { when: { every: "10 days" } }, "invalid", ["when", "every"]],
  // 366 days of 2024, 31 of January and 4 of February
  [
    "more than 400 intervals",
    { when: { time: "2024-01-01/2025-02-04", every: "P1D" } },
    "output-too-large",
    [],
    { maxIntervals: 400, requestedIntervals: 401 },
  ],
  ["two collections", { when: { collections: [S2, "landsat-ot-l2"] } }, "invalid", ["when", "collections"]],
  ["no bands, index or expression", { what: { index: undefined } }, "invalid", ["what"]],
  ["calculations of no output", { into: { calculations: { evi: {} } } }, "invalid", ["into", "calculations", "evi"]],
  [
    "a grid that is too wide",
    { where: { frame: { width: 2501, height: 3 } } },
    "output-too-large",
    [],
    { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 2501, requestedHeight: 3 },
  ],
  ["a degree of pixels of 10 m", { where: { bbox: [10, 40, 11, 41], frame: undefined } }, "output-too-large", []],
])("%s is refused before a search", (_, more, code, path, limits) => {
  const refusal = refusalOf(() => specOf(more));
  expect(refusal).toMatchObject({ code, path });
  if (limits !== undefined) expect(refusal.limits).toEqual(limits);
});

test("values of all dates are limited once it is known how many there are", () => {
  const items = Array.from({ length: 20 }, (_, i) => at(`2024-04-${String(i + 1).padStart(2, "0")}T10:00:00Z`));
  const size = { where: { frame: { width: 2500, height: 2500 } } };
  expect(() => scenesOf(items.slice(0, 16), size)).not.toThrow();
  expect(refusalOf(() => scenesOf(items.slice(0, 17), size))).toMatchObject({
    code: "output-too-large",
    limits: { maxValuesTimesDates: 200_000_000, requestedValuesTimesDates: 2500 * 2500 * 2 * 17 },
  });
});
