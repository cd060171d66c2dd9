import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { PROCESS_DEFINITIONS } from "@swath/openeo";
import { describe, expect, test } from "vitest";
import { FULL, testService } from "../tools/harness.ts";
import { pixelsOf } from "../tools/images.ts";
import { rowRules } from "../tools/row-rules.ts";
import { GRAPHS as FIRST, type Graph } from "./graphs.ts";
import { MORE_GRAPHS } from "./more-graphs.ts";

const GRAPHS = { ...FIRST, ...MORE_GRAPHS };

interface ExpectedRaster {
  readonly shape: readonly [height: number, width: number];
  readonly bands: readonly {
    readonly valid: number;
    readonly mean: number | null;
    readonly samples: readonly (number | null)[];
  }[];
}

/** By rasterio, numpy and gdalwarp from the files of the archive: see expected.py beside it. */
const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, "expected.json"), "utf8")) as Readonly<
  Record<string, unknown>
>;
/** Step between the values of a raster that are compared one by one. */
const STEP = 37;
/** Rasters have 32 bits. */
const SINGLE = 3e-7;
const DOUBLE = 1e-12;

const service = testService({}, { profile: FULL });

async function compute(graph: Graph): Promise<Response> {
  const response = await (await service).post("/v1/openeo/result", { process: { process_graph: graph } });
  expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
  return response;
}

/** Every number within a tolerance relative to its size, at least that of 1/1000. */
function expectClose(found: unknown, expected: unknown, tolerance: number, path = ""): void {
  if (typeof expected === "number" && typeof found === "number") {
    const isClose = Math.abs(found - expected) <= tolerance * Math.max(1e-3, Math.abs(expected));
    expect({ path, found, isClose }).toEqual({ path, found: isClose ? found : expected, isClose: true });
  } else if (typeof expected === "object" && expected !== null) {
    expect([path, Object.keys((found ?? {}) as object)]).toEqual([path, Object.keys(expected)]);
    for (const [name, value] of Object.entries(expected)) {
      expectClose((found as Record<string, unknown>)[name], value, tolerance, `${path}/${name}`);
    }
  } else expect({ path, found }).toEqual({ path, found: expected });
}

function described(bands: readonly ArrayLike<number>[], height: number, width: number): ExpectedRaster {
  return {
    shape: [height, width],
    bands: bands.map((band) => {
      const values = Array.from(band);
      const valid = values.filter(Number.isFinite);
      const samples = values.filter((_, i) => i % STEP === 0).map((value) => (Number.isFinite(value) ? value : null));
      const mean = valid.length === 0 ? null : valid.reduce((sum, value) => sum + value, 0) / valid.length;
      return { valid: valid.length, mean, samples };
    }),
  };
}

async function rasterOf(response: Response): Promise<ExpectedRaster> {
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { width, height } = cog.levels[0]!.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  return described(bands, height, width);
}

async function imageOf(response: Response): Promise<ExpectedRaster> {
  const { data, width, height } = await pixelsOf(response);
  const grey = Float64Array.from({ length: width * height }, (_, i) => data[4 * i]!);
  return described([grey], height, width);
}

/** CSV as the expected answer has it: a header, and rows of numbers after the first column. */
function tableOf(csv: string): unknown {
  const [header = "", ...rows] = csv.split("\r\n").slice(0, -1);
  return {
    header: header.split(","),
    rows: rows.map((row) => row.split(",").map((field, i) => (i === 0 ? field : Number(field)))),
  };
}

describe("process graphs give what numpy gives", () => {
  const rules = rowRules(
    {
      OE13: ["an index of all bands", "bands of a load that names none"],
      OE16: [
        "the number of dates, of which no pixel is needed",
        "the sum of a constant over t",
        "two summers as one series",
        "two sensors as one series",
      ],
      OE18: [
        "resample_spatial by average",
        "resample_spatial to degrees by cubic",
        "resample_spatial of a masked index by average",
      ],
      OE19: ["an extent off the pixels", "filter_spatial of a line and points"],
      OE20: ["merge_cubes of bands", "merge_cubes of larger pixels"],
      OE21: [
        "aggregate_spatial of a line and points",
        "aggregate_spatial with counts",
        "filter_bands by wavelengths",
        "quantiles by q",
      ],
    },
    Object.keys(GRAPHS),
  );

  for (const [name, graph] of Object.entries(GRAPHS)) {
    test(name, { tags: ["OE3", ...rules(name)] }, async () => {
      const response = await compute(graph);
      const type = response.headers.get("Content-Type") ?? "";
      const expected = EXPECTED[name];
      if (type.startsWith("image/tiff")) expectClose(await rasterOf(response), expected, SINGLE);
      else if (type === "image/png") expect(await imageOf(response)).toEqual(expected);
      else if (type.startsWith("text/csv")) expectClose(tableOf(await response.text()), expected, DOUBLE);
      else expectClose(await response.json(), expected, DOUBLE);
    });
  }
});

test("there are thirty graphs or more, and each process that is listed is in one of them", { tags: ["OE3"] }, () => {
  expect(Object.keys(GRAPHS).length).toBeGreaterThanOrEqual(30);
  const used = new Set([...JSON.stringify(GRAPHS).matchAll(/"process_id":"(\w+)"/g)].map(([, id]) => id));
  expect(PROCESS_DEFINITIONS.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
});
