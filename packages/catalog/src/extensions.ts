import { isJson, type Json, listOf, numberOf, textOf } from "./json.ts";

interface Extension {
  readonly url: string;
  /** Whether the fields of the extension are there and hold what its JSON Schema asks for. */
  readonly holds: (properties: Json, assets: readonly Json[]) => boolean;
}

const url = (name: string, version: string): string =>
  `https://stac-extensions.github.io/${name}/v${version}/schema.json`;

const within = (value: unknown, low: number, high: number): boolean =>
  value === undefined || (numberOf(value) !== undefined && (value as number) >= low && (value as number) <= high);

const keysOf = (object: Json, prefix: string): string[] => Object.keys(object).filter((key) => key.startsWith(prefix));

const bandsOf = (asset: Json): readonly Json[] => listOf(asset.bands).filter(isJson);

const S2_PERCENTAGE = /^s2:[a-z_]+_percentage$/;
const S2_PERCENTAGES = new Set(
  (
    "water snow_ice vegetation thin_cirrus cloud_shadow nodata_pixel unclassified dark_features not_vegetated " +
    "degraded_msi_data high_proba_clouds medium_proba_clouds saturated_defective_pixel"
  )
    .split(" ")
    .map((name) => `s2:${name}_percentage`),
);
const S2_TEXTS = new Set([
  "s2:tile_id",
  "s2:granule_id",
  "s2:datatake_id",
  "s2:product_uri",
  "s2:datastrip_id",
  "s2:product_type",
  "s2:datatake_type",
  "s2:generation_time",
  "s2:processing_baseline",
  "s2:mgrs_tile",
]);

function sentinel2Holds(properties: Json): boolean {
  const keys = keysOf(properties, "s2:");
  return (
    keys.length > 0 &&
    keys.every((key) => {
      const value = properties[key];
      if (key === "s2:processing_baseline") return /^\d\d\.\d\d$/.test(textOf(value) ?? "");
      if (S2_PERCENTAGE.test(key)) return S2_PERCENTAGES.has(key) && within(value, 0, 100);
      if (key === "s2:mean_solar_zenith" || key === "s2:mean_solar_azimuth") return within(value, 0, 180);
      if (key === "s2:reflectance_conversion_factor") return numberOf(value) !== undefined;
      return S2_TEXTS.has(key) && textOf(value) !== undefined;
    })
  );
}

const LANDSAT_FIELDS: Readonly<Record<string, RegExp>> = {
  "landsat:scene_id": /^L[CEMOT][1-9]\d{13}[A-Z]{3}\d\d$/,
  "landsat:collection_category": /^(A1|A2|T1|T2|RT)$/,
  "landsat:collection_number": /^0[12]$/,
  "landsat:wrs_type": /^[12]$/,
  "landsat:wrs_path": /^\d{3}$/,
  "landsat:wrs_row": /^\d{3}$/,
  "landsat:correction": /^(L1TP|L1GT|L1GS|L2SR|L2SP)$/,
};

const PROJECTION_FIELDS = /^proj:(epsg|code|wkt2|projjson|geometry|bbox|centroid|shape|transform)$/;

const classificationHolds = (asset: Json): boolean =>
  [asset["classification:bitfields"], asset["classification:classes"]].every(
    (list) =>
      list === undefined ||
      (listOf(list).length > 0 &&
        listOf(list).every((entry) => isJson(entry) && /^[\w-]+$/.test(textOf(entry.name) ?? "unnamed"))),
  ) && listOf(asset["classification:bitfields"]).every((field) => isJson(field) && listOf(field.classes).length > 0);

const EXTENSIONS: readonly Extension[] = [
  {
    url: url("eo", "2.0.0"),
    holds: (properties, assets) =>
      properties["eo:cloud_cover"] !== undefined ||
      assets.some((asset) => bandsOf(asset).some((band) => keysOf(band, "eo:").length > 0)),
  },
  {
    url: url("raster", "2.0.0"),
    holds: (_, assets) => assets.some((asset) => bandsOf(asset).some((band) => keysOf(band, "raster:").length > 0)),
  },
  {
    url: url("projection", "1.2.0"),
    holds: (properties, assets) =>
      [properties, ...assets].some((object) => keysOf(object, "proj:").length > 0) &&
      [properties, ...assets].every((object) => keysOf(object, "proj:").every((key) => PROJECTION_FIELDS.test(key))),
  },
  { url: url("sentinel-2", "1.0.0"), holds: sentinel2Holds },
  {
    url: url("landsat", "2.0.0"),
    holds: (properties) =>
      Object.entries(LANDSAT_FIELDS).every(([key, form]) => form.test(textOf(properties[key]) ?? "")) &&
      properties["landsat:cloud_cover_land"] !== undefined &&
      within(properties["landsat:cloud_cover_land"], -1, 100),
  },
  { url: url("storage", "2.0.0"), holds: (properties) => properties["storage:schemes"] !== undefined },
  {
    url: url("view", "1.0.0"),
    holds: (properties) => {
      const keys = keysOf(properties, "view:");
      return (
        keys.length > 0 &&
        keys.every((key) => VIEW_FIELDS[key] !== undefined && within(properties[key], ...VIEW_FIELDS[key]))
      );
    },
  },
  {
    url: url("grid", "1.1.0"),
    holds: (properties) => /^[A-Z0-9]+-[-_.A-Za-z0-9]+$/.test(textOf(properties["grid:code"]) ?? ""),
  },
  {
    url: url("mgrs", "1.0.0"),
    holds: (properties) =>
      textOf(properties["mgrs:latitude_band"]) !== undefined &&
      textOf(properties["mgrs:grid_square"]) !== undefined &&
      (properties["mgrs:utm_zone"] === undefined || Number.isInteger(properties["mgrs:utm_zone"])),
  },
  {
    url: url("classification", "2.0.0"),
    holds: (_, assets) =>
      assets.some((asset) => keysOf(asset, "classification:").length > 0) && assets.every(classificationHolds),
  },
  {
    url: url("file", "2.1.0"),
    holds: (_, assets) =>
      assets.some((asset) => keysOf(asset, "file:").length > 0) &&
      assets.every(
        (asset) =>
          keysOf(asset, "file:").every((key) => key === "file:checksum" || key === "file:size") &&
          /^[a-f0-9]+$/.test(textOf(asset["file:checksum"]) ?? "0") &&
          Number.isSafeInteger(asset["file:size"] ?? 0),
      ),
  },
  {
    url: url("processing", "1.1.0"),
    holds: (properties) =>
      isJson(properties["processing:software"]) &&
      Object.values(properties["processing:software"]).every((version) => typeof version === "string"),
  },
  {
    url: url("scientific", "1.0.0"),
    holds: (properties) => /^10\.[0-9a-zA-Z]{4,}\/\S+$/.test(textOf(properties["sci:doi"]) ?? ""),
  },
];

const VIEW_FIELDS: Readonly<Record<string, readonly [number, number]>> = {
  "view:off_nadir": [0, 90],
  "view:incidence_angle": [0, 90],
  "view:azimuth": [0, 360],
  "view:sun_azimuth": [0, 360],
  "view:sun_elevation": [-90, 90],
};

/** The extensions an item may declare: those it has fields of, if the fields hold what the extension's schema asks. */
export function extensionsOf(properties: Json, assets: Readonly<Record<string, Json>>): string[] {
  const list = Object.values(assets);
  return EXTENSIONS.filter(({ holds }) => holds(properties, list)).map((extension) => extension.url);
}
