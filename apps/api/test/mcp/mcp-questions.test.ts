import { resolveCrs, transformer } from "@swath/raster";
import { createTruth, type Truth, VALLEY } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { beforeAll, expect, inject, test } from "vitest";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { type Json, type Session, startSession, type ToolResult } from "../tools/mcp-client.ts";

/** Most characters of text that an answer may put before a model. */
const MOST_TEXT = 5000;

/** A part of the plain with the river: west, south, east, north in metres of EPSG:32633. */
const PLAIN = [286_300, 5_067_500, 288_300, 5_069_500] as const;
const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));

let service: TestService;
let session: Session;
let truth: (lon: number, lat: number, date: string) => Truth;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
  session = await startSession(service);
  truth = createTruth(await readArchiveInfo(inject("sandbox")));
});

/** Calls a tool as a model would, and holds its text against what a conversation can take. */
async function ask(tool: string, input: Json): Promise<ToolResult & { readonly text: string }> {
  const { result } = await session.call(tool, input);
  const text = result.content.map((part) => part.text ?? "").join("\n");
  expect([tool, result.isError ?? false, result.isError === true ? text : ""]).toEqual([tool, false, ""]);
  expect(text.length, tool).toBeLessThan(MOST_TEXT);
  return { ...result, text };
}

/** Lines of an answer's table, divided at commas. */
const rowsOf = (text: string): string[][] => text.split("\n").map((line) => line.split(", "));

/** From the middle of a field to its corners, degrees: some 45 m. */
const CORNERS = [-0.0006, 0.0006].flatMap((east) => [-0.0004, 0.0004].map((north) => [east, north] as const));

/** A square of some 90 m around a place of the valley. */
function fieldAt([lon, lat]: readonly [number, number]): Json {
  const [west, east, south, north] = [lon - 0.0006, lon + 0.0006, lat - 0.0004, lat + 0.0004];
  const ring = [west, east, east, west, west].map((x, i) => [x, [south, south, north, north, south][i]]);
  return { type: "Polygon", coordinates: [ring] };
}

/** By so much a field differs from the point in its middle: stored values are rounded, and Landsat's are brought to Sentinel-2's. */
const NEAR = 0.02;

test("how green was this field in 2022?", { tags: ["MC15"] }, async () => {
  const { maize } = VALLEY.places;
  const { text } = await ask("timeseries", {
    geometry: fieldAt(maize),
    datetime: "2022-01-01/2022-12-31",
    index: "ndvi",
  });
  const days = rowsOf(text).filter(([, , value = ""]) => value !== "" && Number.isFinite(Number(value)));
  expect(days.length).toBeGreaterThan(40);
  // haze at the edges of clouds is not masked
  const clear = days.filter(([datetime = ""]) =>
    CORNERS.every(([east, north]) => {
      const { cloud, shadow } = truth(maize[0] + east, maize[1] + north, datetime.slice(0, 10));
      return cloud === 0 && shadow === 0;
    }),
  );
  expect(clear.length).toBeGreaterThan(30);
  for (const [datetime = "", , value] of clear)
    expect(Math.abs(Number(value) - truth(...maize, datetime.slice(0, 10)).ndvi), datetime).toBeLessThan(NEAR);
  const greenest = days.toSorted(([, , a], [, , b]) => Number(b) - Number(a))[0]?.[0] ?? "";
  expect(["2022-07", "2022-08"]).toContain(greenest.slice(0, 7));
});

test("the newest clear image of the lake", { tags: ["MC15"] }, async () => {
  const [lon, lat] = VALLEY.places.lake;
  const found = await ask("search", {
    collections: ["sentinel-2-l2a"],
    intersects: { type: "Point", coordinates: [lon, lat] },
    datetime: VALLEY.years.join("/"),
    query: { "eo:cloud_cover": { lte: 5 } },
    limit: 1,
  });
  const [item] = found.structuredContent.features as { id: string; properties: { datetime: string } }[];
  const day = item?.properties.datetime ?? "";
  expect(truth(lon, lat, day.slice(0, 10)).cloud).toBe(0);
  const later = await service.get(
    `/v1/search?collections=sentinel-2-l2a&bbox=${VALLEY.bbox}&datetime=${day}/2024-01-01`,
  );
  const { features } = (await later.json()) as { features: { id: string; properties: Record<string, number> }[] };
  expect(features.filter(({ properties }) => (properties["eo:cloud_cover"] ?? 0) <= 5).map(({ id }) => id)).toEqual([
    item?.id,
  ]);
  const drawn = await ask("render", { preset: "true-color", collection: "sentinel-2-l2a", item: item?.id ?? "" });
  const image = drawn.content.find(({ type }) => type === "image");
  expect(image?.mimeType).toMatch(/^image\/(png|jpeg)$/);
  expect(Buffer.from(image?.data ?? "", "base64").length).toBeGreaterThan(10_000);
});

test("compare two summers", { tags: ["MC15"] }, async () => {
  const { maize } = VALLEY.places;
  const { text, structuredContent } = await ask("statistics", {
    input: { bounds: { geometry: fieldAt(maize) }, data: [{ type: "sentinel-2-l2a" }] },
    aggregation: { timeRange: { from: "2022-06-01", to: "2023-08-31" }, aggregationInterval: { of: "P3M" } },
    index: "ndvi",
  });
  const summers = rowsOf(text).filter(([from]) => from === "2022-06-01" || from === "2023-06-01");
  const used = (structuredContent.data as { interval: { from: string }; itemIds: string[] }[])
    .filter(({ interval }) => interval.from.slice(5, 7) === "06")
    .map(
      ({ itemIds }) =>
        itemIds
          .at(-1)
          ?.match(/_(\d{4})(\d\d)(\d\d)T/)
          ?.slice(1)
          .join("-") ?? "",
    );
  expect([summers.length, used.length]).toEqual([2, 2]);
  for (const [i, [, , , mean]] of summers.entries())
    expect(Math.abs(Number(mean) - truth(...maize, used[i] ?? "").ndvi)).toBeLessThan(0.05);
  // maize stood there in the first, and wheat was harvested in the second
  expect(Number(summers[0]?.[3])).toBeGreaterThan(0.7);
  expect(Number(summers[1]?.[3])).toBeLessThan(0.3);
});

test("how hot was it in July?", { tags: ["MC15"] }, async () => {
  const hot = {
    aggregation: { timeRange: { from: "2022-07-01", to: "2022-07-31" } },
    bands: ["lwir11"],
  };
  const kelvin = async (place: keyof typeof VALLEY.places): Promise<number> => {
    const bounds = { geometry: fieldAt(VALLEY.places[place]) };
    const { text } = await ask("statistics", { ...hot, input: { bounds, data: [{ type: "landsat-ot-l2" }] } });
    expect(text).toMatch(/^Values in KELVIN\./);
    return Number(rowsOf(text).find(([from]) => from === "2022-07-01")?.[3]);
  };
  const [village, lake] = [await kelvin("village"), await kelvin("lake")];
  expect(village).toBeGreaterThan(lake + 5);
  expect([village, lake].every((value) => value > 285 && value < 325)).toBe(true);
});

test("how much water is there, month by month and year by year?", { tags: ["MC15"] }, async () => {
  const side = 50;
  const { text } = await ask("statistics", {
    input: {
      bounds: { bbox: PLAIN, properties: { crs: "EPSG:32633" } },
      data: [{ type: "sentinel-2-l2a", dataFilter: { mosaickingOrder: "leastCC" } }],
    },
    aggregation: {
      timeRange: { from: "2022-01-01", to: "2023-12-31" },
      aggregationInterval: { of: "P1M" },
      width: side,
      height: side,
    },
    expression: "green > nir",
  });
  const shares = new Map(rowsOf(text).map(([from = "", , , mean]) => [from.slice(0, 7), Number(mean)]));
  const [west, south, east] = PLAIN;
  const pixel = (east - west) / side;
  const truly = (day: string): number => {
    const centres = Array.from({ length: side * side }, (_, i) =>
      toDegrees(west + ((i % side) + 0.5) * pixel, south + (Math.floor(i / side) + 0.5) * pixel),
    );
    return centres.filter(([lon, lat]) => truth(lon, lat, day).class === "water").length / centres.length;
  };
  // clear days: the river alone in both summers, and the flood of May
  for (const day of ["2022-08-19", "2023-08-14"])
    expect(Math.abs((shares.get(day.slice(0, 7)) ?? Number.NaN) - truly(day))).toBeLessThan(0.005);
  expect(shares.get("2023-05")).toBeGreaterThan(2 * (shares.get("2022-08") ?? 1));
});
