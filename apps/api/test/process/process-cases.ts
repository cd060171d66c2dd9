/** One request whose pixels are compared with GDAL's. */
export interface TruthCase {
  readonly archive: "sandbox" | "fixtures";
  readonly name: string;
  /** Scenes of the mosaic, first on top. */
  readonly scenes: readonly string[];
  /** Native names of the bands that the output must have. */
  readonly bands: readonly string[];
  readonly units: "REFLECTANCE" | "DN";
  readonly harmonize: "none" | "offset_removed";
  readonly clipNegative?: boolean;
  readonly type: "UInt16" | "Int16" | "Float32";
  /** `EPSG:n` of the output. */
  readonly crs: string;
  readonly width: number;
  readonly height: number;
  readonly polygon?: { readonly type: string; readonly coordinates: unknown };
  readonly body: Record<string, unknown>;
}

interface Draft {
  readonly scenes: readonly string[];
  readonly ask?: readonly string[];
  readonly bands: readonly string[];
  readonly type?: string;
  readonly bbox?: readonly number[];
  readonly bboxCrs?: string;
  readonly geometry?: { readonly type: string; readonly coordinates: unknown };
  readonly crs?: string;
  readonly size?: readonly [number, number];
  readonly res?: number;
  readonly units?: "REFLECTANCE" | "DN";
  readonly harmonize?: "none" | "offset_removed";
  readonly clipNegative?: boolean;
  readonly sampleType?: "UINT16" | "INT16" | "FLOAT32";
  readonly time?: readonly [from: string, to: string];
  readonly filter?: Record<string, unknown>;
}

const UTM33 = "EPSG:32633";
const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

/** Scenes of the synthetic archive. */
export const S2 = {
  july: "S2B_T33TUL_20240704T100211_L2A",
  cloudy: "S2A_T33TUL_20240706T095331_L2A",
  east: "S2B_T33TVL_20240704T100211_L2A",
  cloudyEast: "S2A_T33TVL_20240706T095331_L2A",
  old: "S2A_T33TUL_20210705T100211_L2A",
  oldEast: "S2A_T33TVL_20210705T100211_L2A",
  march: "S2B_T33TUL_20210319T095331_L2A",
  marchEast: "S2B_T33TVL_20210319T095331_L2A",
  native: "S2C_T33TUL_20260613T100211_L2A",
} as const;
export const LANDSAT = {
  july: "LC08_L2SP_191028_20240705_02_T1",
  east: "LC09_L2SP_190028_20240706_02_T1",
  native: "LC08_L2SP_191028_20260611_02_T1",
} as const;

const RGB = ["B04", "B03", "B02"];
const MIXED = ["B01", "B04", "B8A"];
const WEST: readonly number[] = [12.5, 45.1, 13.8, 46.0];
const TWO: readonly number[] = [13.4, 45.2, 14.4, 45.9];
const TWO_UTM: readonly number[] = [370_000, 5_000_000, 450_000, 5_080_000];
const PATCH: readonly number[] = [360_000, 5_038_800, 370_200, 5_049_000];
const TRIANGLE = {
  type: "Polygon",
  coordinates: [
    [
      [12.6, 45.15],
      [13.7, 45.3],
      [13.1, 45.95],
      [12.6, 45.15],
    ],
    [
      [13.0, 45.4],
      [13.2, 45.6],
      [13.3, 45.4],
      [13.0, 45.4],
    ],
  ],
};
const TWO_PARTS = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [365_000, 5_010_000],
        [390_000, 5_015_000],
        [380_000, 5_050_000],
        [365_000, 5_010_000],
      ],
    ],
    [
      [
        [420_000, 5_020_000],
        [440_000, 5_020_000],
        [440_000, 5_070_000],
        [420_000, 5_070_000],
        [420_000, 5_020_000],
      ],
    ],
  ],
};

const SANDBOX: readonly Draft[] = [
  // one Sentinel-2 scene: CRSs, sizes, units
  { scenes: [S2.july], bands: RGB, ask: ["red", "green", "blue"], bbox: WEST },
  { scenes: [S2.july], bands: RGB, bbox: WEST, crs: "EPSG:4326", size: [700, 500] },
  { scenes: [S2.july], bands: RGB, bbox: WEST, crs: CRS84, size: [333, 211], units: "DN" },
  { scenes: [S2.july], bands: RGB, bbox: WEST, crs: UTM33, res: 100, units: "DN", harmonize: "none" },
  { scenes: [S2.july], bands: MIXED, bbox: WEST, crs: UTM33, res: 250 },
  { scenes: [S2.july], bands: MIXED, bbox: WEST, crs: "EPSG:32632", size: [600, 600] },
  { scenes: [S2.july], bands: MIXED, bbox: WEST, crs: "EPSG:32733", size: [512, 513], units: "DN" },
  { scenes: [S2.july], bands: ["B08"], ask: ["nir"], bbox: WEST, size: [64, 64] },
  { scenes: [S2.july], bands: ["B08"], bbox: WEST, size: [1, 1] },
  { scenes: [S2.july], bands: ["B08"], bbox: WEST, size: [2500, 40], units: "DN" },
  { scenes: [S2.july], bands: ["B11", "B12"], ask: ["swir16", "B12_20m"], bbox: WEST, crs: UTM33, size: [1500, 1400] },
  {
    scenes: [S2.july],
    bands: RGB,
    bbox: [300_000, 4_990_200, 409_800, 5_100_000],
    bboxCrs: UTM33,
    crs: UTM33,
    res: 100,
    units: "DN",
    harmonize: "none",
  },
  {
    scenes: [S2.july],
    bands: ["B04"],
    bbox: [290_000, 4_980_000, 420_000, 5_110_000],
    bboxCrs: "http://www.opengis.net/def/crs/EPSG/0/32633",
    crs: "http://www.opengis.net/def/crs/EPSG/0/3857",
    size: [900, 900],
    units: "DN",
    sampleType: "FLOAT32",
    harmonize: "none",
  },
  { scenes: [S2.july], bands: ["SCL"], bbox: WEST, units: "DN", harmonize: "none", size: [400, 400] },
  { scenes: [S2.july], bands: ["SCL", "B04", "AOT"], bbox: WEST, units: "DN", crs: UTM33, size: [400, 400] },
  { scenes: [S2.cloudy], bands: RGB, bbox: WEST, clipNegative: true, size: [500, 500] },
  { scenes: [S2.cloudy], bands: ["B02"], bbox: WEST, clipNegative: true, units: "DN", crs: "EPSG:4326" },
  // before the offset
  { scenes: [S2.old], bands: RGB, bbox: WEST, crs: UTM33, res: 200 },
  { scenes: [S2.old], bands: RGB, bbox: WEST, crs: "EPSG:4326", units: "DN", size: [300, 300] },
  { scenes: [S2.old], bands: RGB, bbox: WEST, units: "DN", harmonize: "none", sampleType: "UINT16" },
  // full resolution
  { scenes: [S2.native], bands: ["B04", "B08"], bbox: PATCH, bboxCrs: UTM33, crs: UTM33, res: 10, units: "DN" },
  { scenes: [S2.native], bands: ["B04", "B05", "B09"], bbox: PATCH, bboxCrs: UTM33, size: [800, 800] },
  { scenes: [S2.native], bands: ["B04"], bbox: [13.24, 45.5, 13.31, 45.55], crs: "EPSG:4326", size: [1200, 900] },
  // mosaics
  { scenes: [S2.july, S2.east], bands: RGB, bbox: TWO, size: [600, 600] },
  { scenes: [S2.east, S2.july], bands: RGB, bbox: TWO_UTM, bboxCrs: UTM33, crs: UTM33, res: 100, units: "DN" },
  { scenes: [S2.old, S2.east], bands: RGB, bbox: TWO, size: [500, 500], units: "DN" },
  { scenes: [S2.east, S2.old], bands: MIXED, bbox: TWO, crs: "EPSG:4326", size: [640, 480] },
  {
    scenes: [S2.march, S2.old, S2.east],
    bands: ["B04", "B01"],
    bbox: WEST.with(2, 14.3),
    units: "DN",
    harmonize: "none",
  },
  { scenes: [S2.native, S2.cloudy], bands: ["B08"], bbox: [13.1, 45.4, 13.5, 45.7], size: [500, 500] },
  {
    scenes: [S2.cloudy, S2.july],
    bands: ["B04", "SCL"],
    bbox: WEST,
    units: "DN",
    crs: UTM33,
    size: [700, 700],
    time: ["2024-07-01T00:00:00Z", "2024-07-31T23:59:59Z"],
  },
  {
    scenes: [S2.july, S2.cloudy],
    bands: ["B04"],
    bbox: [12.5, 45.1, 13.6, 45.95],
    units: "DN",
    size: [300, 300],
    time: ["2024-07-01T00:00:00Z", "2024-07-31T23:59:59Z"],
    filter: { mosaickingOrder: "leastRecent" },
  },
  // polygons
  { scenes: [S2.july], bands: RGB, geometry: TRIANGLE, size: [500, 400] },
  { scenes: [S2.july], bands: RGB, geometry: TRIANGLE, crs: "EPSG:4326", size: [640, 480], units: "DN" },
  { scenes: [S2.old, S2.east], bands: ["B04"], geometry: TWO_PARTS, bboxCrs: UTM33, crs: UTM33, res: 150, units: "DN" },
  // Landsat
  { scenes: [LANDSAT.july], type: "LOTL2", bands: ["SR_B4", "SR_B5"], ask: ["red", "nir08"], bbox: WEST },
  { scenes: [LANDSAT.july], bands: ["SR_B4", "ST_B10"], bbox: WEST, crs: UTM33, res: 300 },
  {
    scenes: [LANDSAT.july],
    bands: ["ST_B10", "QA_PIXEL"],
    bbox: WEST,
    units: "DN",
    crs: "EPSG:4326",
    size: [400, 300],
  },
  { scenes: [LANDSAT.east, LANDSAT.july], bands: ["SR_B4", "QA_PIXEL"], bbox: TWO, units: "DN", size: [500, 500] },
  { scenes: [LANDSAT.native], bands: ["SR_B2", "ST_B10"], bbox: [13.2, 45.5, 13.33, 45.6], size: [700, 700] },
];

const FIXTURES: readonly Draft[] = [
  { scenes: ["S2A_29RKH_20200219_0_L2A"], bands: RGB, bbox: [-12, 24.3, -10.8, 25.4] },
  {
    scenes: ["S2A_29RKH_20200219_0_L2A"],
    bands: MIXED,
    bbox: [-12, 24.3, -10.8, 25.4],
    crs: "EPSG:4326",
    size: [900, 900],
  },
  {
    scenes: ["S2A_29RKH_20200219_0_L2A"],
    bands: ["B04", "SCL", "AOT"],
    bbox: [220_000, 2_700_000, 300_000, 2_790_000],
    bboxCrs: "EPSG:32629",
    crs: "EPSG:32628",
    size: [500, 700],
    units: "DN",
  },
  { scenes: ["S2A_T32TLS_20220618_L2A"], bands: ["B01"], bbox: [6.9, 46.0, 7.6, 46.4], crs: "EPSG:32631", res: 100 },
  {
    scenes: ["S2A_T32TLS_20220618_L2A"],
    bands: ["B01"],
    bbox: [6.9, 46.0, 7.6, 46.4],
    size: [300, 200],
    units: "DN",
    clipNegative: true,
  },
  {
    scenes: ["S2B_T36_20230101_L2A"],
    bands: ["B04", "B08"],
    bbox: [33.36, 16.59, 33.42, 16.64],
    size: [97, 89],
    units: "DN",
  },
  {
    scenes: ["S2B_T36_20230101_L2A"],
    bands: ["B08"],
    bbox: [33.36, 16.59, 33.42, 16.64],
    crs: "EPSG:4326",
    size: [1200, 1000],
  },
  {
    scenes: ["LC08_L2SP_001062_20201031_02_T2"],
    bands: ["SR_B1", "SR_B2", "SR_B3", "SR_B4", "SR_B5", "SR_B6", "SR_B7", "ST_B10"],
    ask: [],
    bbox: [-67.5, -4, -64.5, -1.5],
    size: [400, 400],
  },
  {
    scenes: ["LC08_L2SP_001062_20201031_02_T2"],
    bands: ["ST_B10"],
    bbox: [-67.5, -4, -64.5, -1.5],
    crs: "EPSG:32720",
    size: [333, 333],
    units: "DN",
  },
  { scenes: ["LC08_L2SP_001062_20201031_02_T2"], bands: ["QA_PIXEL"], bbox: [-67.5, -4, -64.5, -1.5], units: "DN" },
  {
    scenes: ["LC08_L2SP_008059_20191201_02_T1"],
    bands: ["SR_B4", "SR_B5"],
    bbox: [-76.6, 0.5, -74.4, 2.5],
    crs: "EPSG:4326",
    clipNegative: true,
  },
  {
    scenes: ["LC08_L2SR_099120_20191129_02_T2"],
    bands: ["SR_B4"],
    bbox: [56, -82.9, 77, -79.7],
    crs: "EPSG:4326",
    size: [500, 400],
  },
  {
    scenes: ["LC09_L2SP_086023_20220101_02_T1"],
    bands: ["QA_PIXEL"],
    bbox: [179, 51, -179, 52.5],
    crs: "EPSG:4326",
    size: [600, 450],
    units: "DN",
  },
  {
    scenes: ["LC09_L2SP_086023_20220101_02_T1"],
    bands: ["QA_PIXEL"],
    bbox: [178.5, 50.9, -178.9, 52.4],
    crs: "EPSG:32660",
    size: [500, 500],
    units: "DN",
  },
];

function truthCase(archive: TruthCase["archive"], draft: Draft): TruthCase {
  const { scenes, ask, bands, bbox, bboxCrs, geometry, crs, size, res, time, filter } = draft;
  const isLandsat = scenes[0]?.startsWith("LC") === true;
  const { units = "REFLECTANCE", harmonize = "offset_removed", sampleType, clipNegative } = draft;
  const removes = units === "DN" && harmonize === "offset_removed" && !isLandsat;
  const own = units === "REFLECTANCE" ? "Float32" : removes ? "Int16" : "UInt16";
  const epsg = /(\d+)$/.exec(crs ?? "EPSG:3857")?.[1];
  const asked = ask === undefined ? bands : ask;
  const body = {
    input: {
      bounds: {
        ...(bbox === undefined ? {} : { bbox }),
        ...(geometry === undefined ? {} : { geometry }),
        ...(bboxCrs === undefined ? {} : { properties: { crs: bboxCrs } }),
      },
      data: [
        {
          type: draft.type ?? (isLandsat ? "landsat-ot-l2" : "sentinel-2-l2a"),
          dataFilter: time === undefined ? { ids: scenes } : { timeRange: { from: time[0], to: time[1] }, ...filter },
          processing: { units, harmonize, ...(clipNegative === undefined ? {} : { clipNegative }) },
        },
      ],
    },
    ...(asked.length === 0 ? {} : { bands: asked }),
    output: {
      ...(crs === undefined ? {} : { crs }),
      ...(size === undefined ? {} : { width: size[0], height: size[1] }),
      ...(res === undefined ? {} : { resx: res, resy: res }),
      ...(sampleType === undefined ? {} : { sampleType }),
    },
  };
  const how = [units, harmonize, sampleType, clipNegative === true ? "clipped" : undefined].filter((each) => each);
  const where = `${crs ?? "EPSG:3857"} ${size?.join("x") ?? (res === undefined ? "256x256" : `at ${res}`)}`;
  return {
    archive,
    name: `${bands.join(",")} of ${scenes.join(" over ")} as ${how.join(" ")} in ${where}${geometry === undefined ? "" : " in a polygon"}`,
    scenes,
    bands,
    units,
    harmonize,
    ...(clipNegative === undefined ? {} : { clipNegative }),
    type: sampleType === "FLOAT32" ? "Float32" : own,
    crs: crs === CRS84 ? "EPSG:4326" : `EPSG:${epsg}`,
    width: size?.[0] ?? 0,
    height: size?.[1] ?? 0,
    ...(geometry === undefined ? {} : { polygon: geometry }),
    body,
  };
}

export const SANDBOX_CASES = SANDBOX.map((draft) => truthCase("sandbox", draft));
export const FIXTURE_CASES = FIXTURES.map((draft) => truthCase("fixtures", draft));
