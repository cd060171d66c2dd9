import { rm } from "node:fs/promises";
import { createVirtualCatalog } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { createAngleReader } from "@swath/engine/files";
import { inlineRenderer } from "@swath/engine/node";
import { createSources } from "@swath/engine/node/files";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BBOX, drawYear, FIELDS, fieldMeans, MONTHS, sceneId, truthOf } from "../analysis/drawn-year.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

const [WEST = 0, SOUTH = 0, EAST = 0, NORTH = 0] = BBOX;
const PIXEL = { sentinel: 20, landsat: 30 } as const;
type SensorName = keyof typeof PIXEL;
let service: TestService;
let folder: string;

beforeAll(async () => {
  const { directory, catalog } = await drawYear();
  folder = directory;
  const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
  const { registry } = FULL;
  service = await testService(
    {
      catalog: createVirtualCatalog({ catalog, registry }),
      renderer: inlineRenderer({ blockCacheBytes: 1 << 24, sources }),
      angles: createAngleReader(createSources(sources)),
    },
    { profile: FULL },
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface FieldValues {
  readonly red: readonly number[];
  readonly ndvi: readonly number[];
}
const ndviOf = (red: number, nir: number): number => (nir - red) / (nir + red);

/** Means of the fields in a scene, read as a scene of optical-sr. */
async function fieldsOf(sensor: SensorName, month: number, harmonize: string): Promise<FieldValues> {
  const pixel = PIXEL[sensor];
  const response = await service.post("/v1/process", {
    input: {
      bounds: { bbox: BBOX, properties: { crs: "EPSG:32633" } },
      data: [{ type: "optical-sr", dataFilter: { ids: [sceneId(sensor, month)] }, processing: { harmonize } }],
    },
    bands: ["red", "nir"],
    output: { crs: "EPSG:32633", width: (EAST - WEST) / pixel, height: (NORTH - SOUTH) / pixel },
  });
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { width, height } = cog.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  const [red = [], nir = []] = bands.map((band) => fieldMeans(band, pixel));
  return { red, ndvi: red.map((each, i) => ndviOf(each, nir[i] ?? Number.NaN)) };
}

/** Differences of all fields and months, and their root mean square. */
const differences = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[] =>
  a.flatMap((row, i) => row.map((each, k) => each - (b[i]?.[k] ?? Number.NaN)));
const rms = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length);
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

test("twenty fields over a year: sensors agree within 0.005 of NDVI, and ten times as well at nbar, which is the truth", {
  tags: ["OS16"],
}, async () => {
  const year = async (sensor: SensorName, level: string) => {
    const months: FieldValues[] = [];
    for (const month of MONTHS) months.push(await fieldsOf(sensor, month, level));
    return { red: months.map(({ red }) => red), ndvi: months.map(({ ndvi }) => ndvi) };
  };
  const at = async (level: string) => ({
    sentinel: await year("sentinel", level),
    landsat: await year("landsat", level),
  });
  const [bandpass, nbar] = [await at("bandpass_adjusted"), await at("nbar")];
  const truth = MONTHS.map((month) => Array.from({ length: FIELDS }, (_, field) => truthOf(field, month)));
  const trueRed = truth.map((row) => row.map(({ red }) => red));
  const trueNdvi = truth.map((row) => row.map(({ red, nir08 }) => ndviOf(red, nir08)));

  const before = differences(bandpass.sentinel.ndvi, bandpass.landsat.ndvi);
  const after = differences(nbar.sentinel.ndvi, nbar.landsat.ndvi);
  expect(before).toHaveLength(12 * FIELDS);
  expect(largest(before)).toBeLessThan(0.005);
  expect(rms(before)).toBeGreaterThan(0.0005);
  expect(rms(after)).toBeLessThan(rms(before) / 10);
  expect(largest(after)).toBeLessThan(0.0005);

  // reflectance shows the view more than a ratio does
  const redBefore = rms(differences(bandpass.sentinel.red, bandpass.landsat.red));
  const redAfter = rms(differences(nbar.sentinel.red, nbar.landsat.red));
  expect(redBefore).toBeGreaterThan(0.002);
  expect(redAfter).toBeLessThan(redBefore / 10);

  for (const sensor of ["sentinel", "landsat"] as const) {
    expect(largest(differences(bandpass[sensor].ndvi, trueNdvi)), sensor).toBeGreaterThan(0.005);
    expect(largest(differences(nbar[sensor].ndvi, trueNdvi)), sensor).toBeLessThan(0.0005);
    expect(largest(differences(nbar[sensor].red, trueRed)), sensor).toBeLessThan(0.0005);
  }
});
