import { dayNumber, yearFraction } from "../country/seasons.ts";
import {
  type AssetPlan,
  LANDSAT_REFLECTANCE,
  LANDSAT_TEMPERATURE,
  landsatAssets,
  SENTINEL_2_ASSETS,
  sentinel2Scaling,
} from "../scenes/assets.ts";
import { middleOf } from "../scenes/directions.ts";
import { metadataPath } from "../scenes/granule.ts";
import { assetPath, landsatProduct } from "../scenes/paths.ts";
import {
  DEM_COLLECTION,
  degreesRing,
  LANDSAT_COLLECTION,
  type SandboxScene,
  SENTINEL_1_COLLECTION,
  SENTINEL_2_COLLECTION,
  sceneGrid,
} from "../scenes/scenes.ts";
import { demItem, hlsItem, sentinel1Item } from "./other-items.ts";

import type { ItemParts, SceneFacts, UpstreamAsset, UpstreamGeometry, UpstreamItem } from "./upstream-item.ts";

const TIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

/** The item of a scene, in the shape of its upstream collection; asset hrefs are relative to the archive. */
export function toUpstreamItem(scene: SandboxScene, facts: SceneFacts): UpstreamItem {
  const ring = degreesRing(scene.footprint, scene.crs);
  const lons = ring.map(([lon]) => lon);
  const lats = ring.map(([, lat]) => lat);
  const geometry: UpstreamGeometry = { type: "Polygon", coordinates: [ring] };
  const bbox = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  const { properties, assets, extensions, version = "1.0.0" } = partsOf(scene, facts, centroid(ring));
  return {
    type: "Feature",
    stac_version: version,
    id: scene.id,
    properties,
    geometry,
    links: [],
    assets,
    bbox,
    stac_extensions: extensions.map((name) => `https://stac-extensions.github.io/${name}/schema.json`),
    collection: scene.collection,
  };
}

/** Returns the parts of an item that differ between the products. */
function partsOf(scene: SandboxScene, facts: SceneFacts, centre: object): ItemParts {
  switch (scene.collection) {
    case SENTINEL_2_COLLECTION:
      return {
        properties: sentinel2Properties(scene, facts, centre),
        assets: sentinel2Assets(scene, facts),
        extensions: SENTINEL_2_EXTENSIONS,
      };
    case LANDSAT_COLLECTION:
      return {
        properties: landsatProperties(scene, facts, centre),
        assets: landsatFiles(scene),
        extensions: LANDSAT_EXTENSIONS,
      };
    case SENTINEL_1_COLLECTION:
      return sentinel1Item(scene);
    case DEM_COLLECTION:
      return demItem(scene);
    default:
      return hlsItem(scene, facts);
  }
}

const SENTINEL_2_EXTENSIONS = [
  "eo/v1.1.0",
  "file/v2.1.0",
  "grid/v1.1.0",
  "mgrs/v1.0.0",
  "processing/v1.1.0",
  "projection/v1.1.0",
  "raster/v1.1.0",
  "sentinel-2/v1.0.0",
  "storage/v1.0.0",
  "view/v1.0.0",
];
const LANDSAT_EXTENSIONS = [
  "projection/v1.1.0",
  "classification/v1.0.0",
  "storage/v1.0.0",
  "raster/v1.1.0",
  "processing/v1.1.0",
  "scientific/v1.0.0",
  "grid/v1.1.0",
  "view/v1.0.0",
  "eo/v1.1.0",
  "landsat/v2.0.0",
];

function sentinel2Properties(scene: SandboxScene, { statistics }: SceneFacts, centre: object) {
  const { acquisition, generated, place } = scene;
  const day = acquisition.date.replaceAll("-", "");
  const satellite = `S2${acquisition.platform.slice(-1).toUpperCase()}`;
  const baseline = acquisition.baseline ?? "05.11";
  const made = `${generated.slice(0, 10).replaceAll("-", "")}T004950`;
  const orbit = `${acquisition.track}`.padStart(3, "0");
  const start = scene.id.split("_")[2]!;
  const absolute = String(20_000 + (dayNumber(new Date(acquisition.date)) % 30_000)).padStart(6, "0");
  const percent = (...classes: number[]): number => {
    const n = classes.reduce((sum, value) => sum + statistics.classes[value]!, 0);
    return round(statistics.valid === 0 ? 0 : (100 * n) / statistics.valid, 6);
  };
  return {
    created: generated,
    platform: acquisition.platform,
    constellation: "sentinel-2",
    instruments: ["msi"],
    "eo:cloud_cover": percent(8, 9, 10),
    "proj:epsg": 32633,
    "proj:centroid": centre,
    "mgrs:utm_zone": Number(place.slice(0, 2)),
    "mgrs:latitude_band": place[2],
    "mgrs:grid_square": place.slice(3),
    "grid:code": `MGRS-${place}`,
    ...viewAndSun(scene),
    "s2:tile_id": `${satellite}_OPER_MSI_L2A_TL_2APS_${made}_A${absolute}_T${place}_N${baseline}`,
    "s2:degraded_msi_data_percentage": 0,
    "s2:nodata_pixel_percentage": round((100 * (statistics.pixels - statistics.valid)) / statistics.pixels, 6),
    "s2:saturated_defective_pixel_percentage": 0,
    "s2:dark_features_percentage": 0,
    "s2:cloud_shadow_percentage": percent(3),
    "s2:vegetation_percentage": percent(4),
    "s2:not_vegetated_percentage": percent(5),
    "s2:water_percentage": percent(6),
    "s2:unclassified_percentage": percent(7),
    "s2:medium_proba_clouds_percentage": percent(8),
    "s2:high_proba_clouds_percentage": percent(9),
    "s2:thin_cirrus_percentage": percent(10),
    "s2:snow_ice_percentage": percent(11),
    "s2:product_type": "S2MSI2A",
    "s2:processing_baseline": baseline,
    "s2:product_uri": `${satellite}_MSIL2A_${day}T100031_N${baseline.replace(".", "")}_R${orbit}_T${place}_${made}.SAFE`,
    "s2:generation_time": `${generated.slice(0, 10)}T00:49:50.000000Z`,
    "s2:datatake_id": `G${satellite}_${day}T100031_${absolute}_N${baseline}`,
    "s2:datatake_type": "INS-NOBS",
    "s2:datastrip_id": `${satellite}_OPER_MSI_L2A_DS_2APS_${made}_S${start}_N${baseline}`,
    "s2:reflectance_conversion_factor": 0.968,
    datetime: scene.datetime,
    "storage:platform": "OTHER",
    "storage:requester_pays": false,
    "processing:software": { "swath-sandbox": "1" },
    updated: generated,
  };
}

function sentinel2Assets(scene: SandboxScene, { files }: SceneFacts): Record<string, UpstreamAsset> {
  const scaling = sentinel2Scaling(scene.acquisition.baseline ?? "05.11");
  const bands = Object.fromEntries(
    SENTINEL_2_ASSETS.map((plan) => {
      const { width, height, transform } = sceneGrid(scene, plan.factor);
      const pixel = transform[0];
      const eight = EIGHT_BIT.has(plan.kind);
      const band = {
        nodata: 0,
        data_type: eight ? "uint8" : "uint16",
        spatial_resolution: pixel,
        ...(plan.kind === "wvp" ? { unit: "cm" } : {}),
        ...(plan.kind === "reflectance" ? { scale: scaling.scale, offset: scaling.offset } : {}),
        ...(plan.kind === "aot" || plan.kind === "wvp" ? { scale: 0.001, offset: 0 } : {}),
      };
      const visual = plan.kind === "visual";
      const file = files[plan.key];
      const asset: UpstreamAsset = {
        href: assetPath(scene, plan),
        type: TIFF,
        title: plan.title,
        ...(plan.eo === undefined ? {} : { "eo:bands": [plan.eo] }),
        ...(visual ? { "eo:bands": SENTINEL_2_ASSETS.slice(0, 3).map(({ eo }) => eo) } : {}),
        // the upstream's snow asset has none
        ...(plan.kind === "snow" ? {} : { gsd: pixel }),
        "proj:shape": [height, width],
        "proj:transform": [...transform],
        "raster:bands": visual ? [band, band, band] : [band],
        ...(file === undefined ? {} : { "file:checksum": file.checksum, "file:size": file.size }),
        roles: SENTINEL_2_ROLES[plan.kind] ?? ["data"],
      };
      return [plan.key, asset];
    }),
  );
  const granule_metadata = { href: metadataPath(scene), type: "application/xml", roles: ["metadata"] };
  return { ...bands, granule_metadata };
}

const EIGHT_BIT: ReadonlySet<AssetPlan["kind"]> = new Set(["scl", "visual", "cloud", "snow"]);
const SENTINEL_2_ROLES: Partial<Record<AssetPlan["kind"], string[]>> = {
  reflectance: ["data", "reflectance"],
  visual: ["visual"],
  cloud: ["data", "cloud"],
  snow: ["data", "snow-ice"],
};

const LANDSAT_DOIS: Readonly<Record<string, string>> = {
  "landsat-5": "10.5066/P9IAXOVV",
  "landsat-7": "10.5066/P9C7I13B",
};
const LANDSAT_INSTRUMENTS: Readonly<Record<string, readonly string[]>> = {
  "landsat-5": ["tm"],
  "landsat-7": ["etm+"],
};

function landsatProperties(scene: SandboxScene, { statistics }: SceneFacts, centre: object) {
  const { acquisition, generated, place } = scene;
  const { width, height, transform } = sceneGrid(scene);
  const path = place.slice(0, 3);
  const row = place.slice(3);
  const clouds = statistics.classes[8]! + statistics.classes[9]! + statistics.classes[10]!;
  const cover = round(statistics.valid === 0 ? 0 : (100 * clouds) / statistics.valid, 2);
  const dayOfYear = String(Math.round(yearFraction(dayNumber(new Date(acquisition.date))) * 366) + 1).padStart(3, "0");
  return {
    platform: acquisition.platform,
    instruments: LANDSAT_INSTRUMENTS[acquisition.platform] ?? ["oli", "tirs"],
    created: generated,
    gsd: scene.pixel,
    description: "Landsat Collection 2 Level-2",
    "eo:cloud_cover": cover,
    "view:off_nadir": 0,
    ...sunOf(scene),
    "proj:epsg": 32633,
    "proj:shape": [height, width],
    "proj:transform": [...transform],
    "proj:centroid": centre,
    "landsat:cloud_cover_land": cover,
    "landsat:wrs_type": "2",
    "landsat:wrs_path": path,
    "landsat:wrs_row": row,
    "landsat:collection_category": "T1",
    "landsat:collection_number": "02",
    "landsat:correction": "L2SP",
    "landsat:scene_id": `${scene.id.slice(0, 2)}${acquisition.platform.slice(-1)}${path}${row}${acquisition.date.slice(0, 4)}${dayOfYear}LGN00`,
    "landsat:product_generated": generated,
    "grid:code": `WRS2-${place}`,
    "sci:doi": LANDSAT_DOIS[acquisition.platform] ?? "10.5066/P9OGBGM6",
    datetime: scene.datetime,
    "earthsearch:payload_id": `swath-sandbox/${landsatProduct(scene)}_SR`,
    "processing:software": { "swath-sandbox": "1" },
    updated: generated,
  };
}

function landsatFiles(scene: SandboxScene): Record<string, UpstreamAsset> {
  return Object.fromEntries(
    landsatAssets(scene.acquisition.platform).map((plan) => {
      const asset: UpstreamAsset = {
        href: assetPath(scene, plan),
        type: TIFF,
        title: plan.title,
        description: landsatDescription(plan),
        ...(plan.eo === undefined ? {} : { "eo:bands": [plan.eo] }),
        ...(plan.kind === "qa_pixel" ? { "classification:bitfields": QA_PIXEL_BITS } : {}),
        "raster:bands": [landsatBand(plan, scene.pixel)],
        ...(plan.kind === "temperature" ? { gsd: scene.pixel } : {}),
        roles: LANDSAT_ROLES[plan.kind] ?? ["data", "reflectance"],
        "storage:platform": "OTHER",
        "storage:requester_pays": false,
      };
      return [plan.key, asset];
    }),
  );
}

const LANDSAT_ROLES: Partial<Record<AssetPlan["kind"], string[]>> = {
  qa_pixel: ["cloud", "cloud-shadow", "snow-ice", "water-mask"],
  qa_radsat: ["saturation"],
  temperature: ["data", "temperature"],
};

function landsatDescription({ kind, title, band }: AssetPlan): string {
  if (kind === "reflectance") return `Collection 2 Level-2 ${title} (${band}) Surface Reflectance`;
  if (kind === "temperature") return `Collection 2 Level-2 Thermal Infrared Band (${band}) Surface Temperature`;
  return `Collection 2 Level-1 ${title} (${band})`;
}

function landsatBand({ kind }: AssetPlan, pixel: number): object {
  const common = { data_type: "uint16", spatial_resolution: pixel };
  if (kind === "qa_pixel") return { nodata: 1, ...common, unit: "bit index" };
  if (kind === "qa_radsat") return { ...common, unit: "bit index" };
  if (kind === "temperature") return { nodata: 0, ...common, unit: "kelvin", ...LANDSAT_TEMPERATURE };
  return { nodata: 0, ...common, ...LANDSAT_REFLECTANCE };
}

/** Bit, width and meaning of each field of QA_PIXEL (USGS Landsat 8-9 Collection 2 data format control book). */
const QA_PIXEL_BITS = (
  [
    ["fill", 0, 1],
    ["dilated_cloud", 1, 1],
    ["cirrus", 2, 1],
    ["cloud", 3, 1],
    ["cloud_shadow", 4, 1],
    ["snow", 5, 1],
    ["clear", 6, 1],
    ["water", 7, 1],
    ["cloud_confidence", 8, 2],
    ["cloud_shadow_confidence", 10, 2],
    ["snow_confidence", 12, 2],
    ["cirrus_confidence", 14, 2],
  ] as const
).map(([name, offset, length]) => ({
  name,
  description: name.replaceAll("_", " "),
  offset,
  length,
  classes:
    length === 1
      ? [
          { value: 0, name: `not_${name}`, description: `Not ${name.replaceAll("_", " ")}` },
          { value: 1, name, description: name.replaceAll("_", " ") },
        ]
      : ["not_set", "low", "medium", "high"].map((level, value) => ({ value, name: level, description: level })),
}));

/** The sun over the middle of a scene. */
function sunOf(scene: SandboxScene): Record<string, number> {
  const { sun } = middleOf(scene);
  return { "view:sun_azimuth": round(sun.azimuth, 4), "view:sun_elevation": round(90 - sun.zenith, 4) };
}

/** Sensor and sun over the middle of a scene. */
function viewAndSun(scene: SandboxScene): Record<string, number> {
  const { sensor } = middleOf(scene);
  return {
    "view:azimuth": round(sensor.azimuth, 4),
    "view:incidence_angle": round(sensor.zenith, 4),
    ...sunOf(scene),
  };
}

function centroid(ring: readonly (readonly [number, number])[]): { lat: number; lon: number } {
  let area = 0;
  let x = 0;
  let y = 0;
  const [ox, oy] = ring[0]!;
  for (let i = 0; i + 1 < ring.length; i++) {
    const ax = ring[i]![0] - ox;
    const ay = ring[i]![1] - oy;
    const bx = ring[i + 1]![0] - ox;
    const by = ring[i + 1]![1] - oy;
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  return { lat: round(oy + y / (3 * area), 5), lon: round(ox + x / (3 * area), 5) };
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Items in the upstream's default order: datetime descending, then id descending, then collection descending. */
export function compareItems(a: UpstreamItem, b: UpstreamItem): number {
  return (
    descending(a.properties.datetime, b.properties.datetime) ||
    descending(a.id, b.id) ||
    descending(a.collection, b.collection)
  );
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
