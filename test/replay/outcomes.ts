import type { Source } from "./deployment.ts";

/** The requests to a service for one item of an archive. */
export const STEPS = ["search", "pages", "item", "tile", "preview", "process", "series"] as const;
export type Step = (typeof STEPS)[number];

/**
 * `ok` where the step gives what it should; else what comes instead: status and code of a refusal, or what is wrong with
 * the answer, in the words of `archives.test.ts`.
 */
export type Outcome = "ok" | (string & {});

/** One item of an archive, and the outcomes of a service for it. */
export interface Cell extends Source {
  readonly item: string;
  readonly preset: string;
  /** Native name of the band that is read, and its common name where that is another. */
  readonly band: string;
  readonly variable?: string;
  /** A pixel's value from the stored one: scale and offset; default 1 and 0. By the scene's own factors where `mtl`. */
  readonly scaling?: readonly [scale: number, offset: number];
  /** Pages of one item that a walk goes through, to the third at most. */
  readonly pages: 1 | 2 | 3;
}

const S2 = { collection: "sentinel-2-l2a", preset: "true-color", band: "B04", variable: "red" } as const;
const SINCE_2022 = [0.0001, -0.1] as const;
const LANDSAT = { preset: "true-color", band: "SR_B4", variable: "red", scaling: [2.75e-5, -0.2] } as const;
const MSS = { collection: "landsat-mss-l1", preset: "false-color", band: "Red", variable: "red" } as const;
const HLS = { collection: "hls", preset: "true-color", band: "Red", variable: "red", scaling: [0.0001, 0] } as const;
const DEM = { collection: "dem", preset: "elevation", band: "elevation" } as const;

/** Every recorded archive and collection. */
export const CELLS: readonly Cell[] = [
  {
    ...S2,
    archive: "earth-search",
    upstreamCollection: "sentinel-2-c1-l2a",
    item: "S2B_T13TDE_20240420T175329_L2A",
    scaling: SINCE_2022,
    pages: 3,
  },
  {
    ...S2,
    archive: "earth-search",
    upstreamCollection: "sentinel-2-l2a",
    item: "S2A_32TMT_20200305_1_L2A",
    scaling: [0.0001, 0],
    pages: 3,
  },
  {
    ...LANDSAT,
    collection: "landsat-ot-l2",
    archive: "earth-search",
    upstreamCollection: "landsat-c2-l2",
    item: "LC08_L2SP_033032_20231008_02_T1",
    pages: 1,
  },
  {
    ...DEM,
    archive: "earth-search",
    upstreamCollection: "cop-dem-glo-30",
    item: "Copernicus_DSM_COG_10_S90_00_W178_00_DEM",
    pages: 3,
  },
  {
    ...S2,
    archive: "planetary-computer",
    upstreamCollection: "sentinel-2-l2a",
    item: "S2B_MSIL2A_20240419T095549_R122_T46XER_20240419T124342",
    scaling: SINCE_2022,
    pages: 3,
  },
  {
    ...LANDSAT,
    collection: "landsat-ot-l2",
    archive: "planetary-computer",
    upstreamCollection: "landsat-c2-l2",
    item: "LC09_L2SP_089089_20240417_02_T1",
    pages: 3,
  },
  {
    ...MSS,
    archive: "planetary-computer",
    upstreamCollection: "landsat-c2-l1",
    item: "LM05_L1TP_039037_20130107_02_T2",
    pages: 3,
  },
  {
    ...DEM,
    archive: "planetary-computer",
    upstreamCollection: "cop-dem-glo-30",
    item: "Copernicus_DSM_COG_10_S90_00_W178_00_DEM",
    pages: 3,
  },
  {
    collection: "sentinel-1-rtc",
    preset: "vv-vh",
    band: "VV",
    archive: "planetary-computer",
    upstreamCollection: "sentinel-1-rtc",
    item: "S1A_IW_GRDH_1SDV_20250311T044231_20250311T044249_058252_073302_rtc",
    pages: 1,
  },
  {
    ...HLS,
    archive: "nasa-cmr-stac",
    upstreamCollection: "HLSL30_2.0",
    item: "HLS.L30.T15UWP.2024042T165831.v2.0",
    pages: 3,
  },
  {
    ...HLS,
    archive: "nasa-cmr-stac",
    upstreamCollection: "HLSS30_2.0",
    item: "HLS.S30.T19LDD.2022166T144741.v2.0",
    pages: 3,
  },
  {
    ...LANDSAT,
    collection: "landsat-ot-l2",
    archive: "usgs",
    upstreamCollection: "landsat-c2l2-sr",
    item: "LC08_L2SP_047027_20201204_20210313_02_T1_SR",
    pages: 1,
  },
  {
    ...LANDSAT,
    collection: "landsat-etm-l2",
    band: "SR_B3",
    archive: "usgs",
    upstreamCollection: "landsat-c2l2-sr",
    item: "LE07_L2SP_044033_20210329_20210424_02_T1_SR",
    pages: 1,
  },
  {
    ...MSS,
    archive: "usgs",
    upstreamCollection: "landsat-c2l1",
    item: "LM05_L1GS_001001_19850524_20210918_02_T2",
    pages: 2,
  },
  {
    ...S2,
    archive: "cdse",
    upstreamCollection: "sentinel-2-l2a",
    item: "S2B_MSIL2A_20200705T101559_N0500_R065_T32TMT_20230530T175912",
    scaling: SINCE_2022,
    pages: 3,
  },
];
