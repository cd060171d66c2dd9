import { SANDBOX_CASES } from "../../../apps/api/test/process/process-cases.ts";
import { type Asked, post } from "./asked.ts";
import { BOW, CLOUDY, EAST, FIELDS, LANDSAT, SEAM, TRIANGLE, WEST } from "./scenes.ts";

const PATH = "/v1/process";
const JOBS = "/v1/process/jobs";

interface Parts {
  readonly bounds?: object;
  readonly type?: string;
  readonly filter?: object;
  readonly processing?: object;
  readonly output?: object;
  readonly more?: object;
}

const TIMES = { timeRange: { from: "2024-07-01T00:00:00Z", to: "2024-07-31T23:59:59Z" } };

/** A request for a small file, with parts of it replaced. */
function body({ bounds, type, filter, processing, output, more }: Parts): object {
  return {
    input: {
      bounds: bounds ?? { bbox: FIELDS },
      data: [
        {
          type: type ?? "sentinel-2-l2a",
          dataFilter: filter ?? TIMES,
          ...(processing === undefined ? {} : { processing }),
        },
      ],
    },
    bands: ["B04", "B08"],
    output: { width: 60, height: 50, ...output },
    ...more,
  };
}

const UTM = { crs: "EPSG:32633" };
const METRES = [380_600, 5_042_400, 382_600, 5_043_900];

/** Beyond the requests whose pixels are compared with GDAL's: orders, and what the full profile alone can do. */
const OWN: Readonly<Record<string, Parts>> = {
  "most recent on top": { bounds: { bbox: SEAM }, filter: { ...TIMES, mosaickingOrder: "mostRecent" } },
  "least recent on top": { bounds: { bbox: SEAM }, filter: { ...TIMES, mosaickingOrder: "leastRecent" } },
  "least cloudy on top": { bounds: { bbox: SEAM }, filter: { ...TIMES, mosaickingOrder: "leastCC" } },
  "of clear scenes": { filter: { ...TIMES, maxCloudCoverage: 20 } },
  "of ids in their order": { bounds: { bbox: SEAM }, filter: { ids: [EAST, CLOUDY] } },
  "every band": { more: { bands: undefined } },
  "in metres": { bounds: { bbox: METRES, properties: UTM }, output: { ...UTM, width: 40, height: 30 } },
  "by resolution": {
    bounds: { bbox: METRES, properties: UTM },
    output: { ...UTM, width: undefined, height: undefined, resx: 25, resy: 25 },
  },
  "in a polygon": { bounds: { geometry: TRIANGLE } },
  "FLOAT32 of numbers": { processing: { units: "DN" }, output: { sampleType: "FLOAT32" } },
  "as for Landsat": { processing: { harmonize: "bandpass_adjusted" }, more: { bands: ["red", "nir08"] } },
  "seen from above": { processing: { harmonize: "nbar" }, more: { bands: ["red", "nir08"] } },
  "pseudo bands": { processing: { units: "DN" }, more: { bands: ["B04", "mask", "dataMask"] } },
  heights: {
    type: "dem",
    filter: { timeRange: { from: "2000-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z" } },
    more: { bands: undefined },
  },
  "radar in decibels": { type: "sentinel-1-rtc", processing: { units: "DB" }, more: { bands: ["vv"] } },
  kelvin: { type: "landsat-ot-l2", processing: { units: "KELVIN" }, more: { bands: ["lwir11"] } },
  celsius: { type: "landsat-ot-l2", processing: { units: "CELSIUS" }, more: { bands: ["lwir11"] } },
  "a crosswalk of HLS": { type: "hls", more: { bands: ["red"] } },
  "more than 4 MB": { output: { width: 1200, height: 1200 } },
};

export const EXTRACTIONS: readonly Asked[] = [
  ...SANDBOX_CASES.map(({ name, body: asked }, i) => post(PATH, `${i + 1}. ${name}`, asked)),
  ...Object.entries(OWN).map(([name, parts]) => post(PATH, name, body(parts))),
  post(JOBS, "a file", body({})),
  post(JOBS, "Landsat in a polygon", body({ type: "LOTL2", bounds: { geometry: TRIANGLE }, more: { bands: ["red"] } })),
  post(JOBS, "in stored numbers", body({ filter: { ids: [WEST] }, processing: { units: "DN", harmonize: "none" } })),
  post(PATH, "a box of Landsat", body({ type: "LOTL2", filter: { ids: [LANDSAT] }, more: { bands: ["red"] } }), {
    profile: "lean",
  }),
  post(JOBS, "a file", body({}), { profile: "lean" }),
];

const REFUSED: Readonly<Record<string, Parts>> = {
  "an unknown member": { more: { evalscript: "//VERSION=3" } },
  "another resampling": { processing: { resampling: "bilinear" } },
  "a band by two of its names": { more: { bands: ["red", "B04"] } },
  "another format": { output: { format: "image/png" } },
  "neither box nor polygon": { bounds: {} },
  "box and polygon": { bounds: { bbox: FIELDS, geometry: TRIANGLE } },
  "three numbers": { bounds: { bbox: [1, 2, 3] } },
  "a box without height": { bounds: { bbox: [12, 45, 13, 45] } },
  "a latitude of 91": { bounds: { bbox: [12, 45, 13, 91] } },
  "a box in metres that is nowhere": { bounds: { bbox: [9e8, 9e8, 9.1e8, 9.1e8], properties: UTM } },
  "an unknown CRS of the box": { bounds: { bbox: FIELDS, properties: { crs: "EPSG:27700" } } },
  "an unknown CRS of the file": { output: { crs: "EPSG:32661" } },
  "a pole in Mercator": { bounds: { bbox: [12, 80, 13, 90] } },
  "the Earth in a zone": { bounds: { bbox: [-180, -90, 180, 90] }, output: { ...UTM, width: 9, height: 9 } },
  "a point": { bounds: { geometry: { type: "Point", coordinates: [13, 45] } } },
  "a polygon that crosses itself": { bounds: { geometry: BOW } },
  "size and resolution": { output: { resx: 10, resy: 10 } },
  "a width alone": { output: { height: undefined } },
  "a resolution of 0": { output: { width: undefined, height: undefined, resx: 0, resy: 10 } },
  "2,501 pixels a side": { output: { width: 2501, height: 10 } },
  "30,000 pixels by resolution": {
    bounds: { bbox: [300_000, 5_000_000, 600_000, 5_100_000], properties: UTM },
    output: { ...UTM, width: undefined, height: undefined, resx: 10, resy: 1000 },
  },
  "a pixel larger than the box": {
    output: { width: undefined, height: undefined, resx: 5e6, resy: 5e6 },
  },
  "ids and times": { filter: { ...TIMES, ids: [WEST] } },
  "ids with an order": { filter: { ids: [WEST], mosaickingOrder: "leastCC" } },
  "seven ids": { filter: { ids: ["a", "b", "c", "d", "e", "f", "g"] } },
  "times backwards": { filter: { timeRange: { from: TIMES.timeRange.to, to: TIMES.timeRange.from } } },
  "a cloud coverage of 101": { filter: { ...TIMES, maxCloudCoverage: 101 } },
  "an unknown order": { filter: { ...TIMES, mosaickingOrder: "random" } },
  "an unknown collection": { type: "sentinel-3" },
  "an unknown id": { filter: { ids: [WEST, "S2B_nothing"] } },
  "an id of another collection": { filter: { ids: [LANDSAT] } },
  "a scene that misses the box": { bounds: { bbox: [12.6, 45.2, 12.9, 45.4] }, filter: { ids: [WEST, EAST] } },
  "no scene in the time": { filter: { timeRange: { from: "2019-01-01T00:00:00Z", to: "2019-12-31T00:00:00Z" } } },
  "no scene there": { bounds: { bbox: [100, 10, 101, 11] } },
  "an unknown band": { more: { bands: ["B04", "B99"] } },
  "a band that a scene lacks": { type: "LOTL2", more: { bands: ["SR_B4", "ST_QA"] }, processing: { units: "DN" } },
  "reflectance of a class band": { more: { bands: ["B04", "SCL"] } },
  "kelvin of reflectance": { processing: { units: "KELVIN" } },
  "units that are none": { processing: { units: "furlongs" } },
  "a harmonization that is none": { processing: { harmonize: "x" } },
  "a level that the collection lacks": { type: "dem", processing: { harmonize: "nbar" } },
  "UINT16 of reflectance": { output: { sampleType: "UINT16" } },
  "UINT16 of offset-removed numbers": { processing: { units: "DN" }, output: { sampleType: "UINT16" } },
};

export const REFUSED_EXTRACTIONS: readonly Asked[] = [
  ...Object.entries(REFUSED).map(([name, parts]) => post(PATH, name, body(parts))),
  post(PATH, "an empty object", {}),
  post(PATH, "no JSON", "{"),
  post(PATH, "another media type", "a: 1", { headers: { "Content-Type": "text/yaml" } }),
  post(PATH, "no key", {}, { as: "nobody" }),
  post(JOBS, "20,001 pixels a side", body({ output: { width: 20_001, height: 1 } })),
  post(JOBS, "600 million values and more", body({ output: { width: 20_000, height: 15_001 } })),
  post(JOBS, "an unknown id", body({ filter: { ids: ["S2B_nothing"] } })),
  ...["kelvin of reflectance", "2,501 pixels a side", "an unknown band", "another format"].map((name) =>
    post(PATH, name, body(REFUSED[name] ?? {}), { profile: "lean" }),
  ),
];
