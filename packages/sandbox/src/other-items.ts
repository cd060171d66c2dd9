import { HLS_NODATA, HLS_REFLECTANCE, SENTINEL_1_NODATA } from "./assets.ts";
import type { ItemParts, SceneFacts, UpstreamAsset } from "./items.ts";
import { assetPath } from "./paths.ts";
import { productOf } from "./products.ts";
import { HLS_L30_COLLECTION, type SandboxScene, sceneGrid } from "./scenes.ts";

const TIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

/** One asset for each file of a scene. */
function filesOf(scene: SandboxScene, describe: (kind: string) => object): Record<string, UpstreamAsset> {
  return Object.fromEntries(
    productOf(scene).assets.map((plan) => [
      plan.key,
      { href: assetPath(scene, plan), type: TIFF, title: plan.title, roles: ["data"], ...describe(plan.kind) },
    ]),
  );
}

function projectionOf(scene: SandboxScene, epsg: number): object {
  const { width, height, transform } = sceneGrid(scene);
  return { "proj:epsg": epsg, "proj:shape": [height, width], "proj:transform": [...transform] };
}

/** An HLS granule in the shape of CMR-STAC, with the projection that its files have. */
export function hlsItem(scene: SandboxScene, { statistics }: SceneFacts): ItemParts {
  const isL30 = scene.collection === HLS_L30_COLLECTION;
  const { place } = scene;
  const clouds = [7, 8, 9, 10].reduce((sum, value) => sum + (statistics.classes[value] ?? 0), 0);
  return {
    properties: {
      datetime: scene.datetime,
      start_datetime: scene.datetime,
      end_datetime: scene.datetime,
      created: scene.generated,
      platform: scene.acquisition.platform,
      instruments: isL30 ? ["oli", "tirs"] : ["msi"],
      "eo:cloud_cover": statistics.valid === 0 ? 0 : Math.round((100 * clouds) / statistics.valid),
      "hls:product": isL30 ? "HLSL30" : "HLSS30",
      "mgrs:utm_zone": Number(place.slice(0, 2)),
      "mgrs:latitude_band": place[2],
      "mgrs:grid_square": place.slice(3),
      "grid:code": `MGRS-${place}`,
      ...projectionOf(scene, 32_633),
    },
    assets: filesOf(scene, (kind) => ({
      "raster:bands": [
        kind === "fmask"
          ? { data_type: "uint8", nodata: 255 }
          : { data_type: "int16", nodata: HLS_NODATA, ...HLS_REFLECTANCE },
      ],
    })),
    extensions: ["eo/v1.1.0", "projection/v1.1.0", "raster/v1.1.0", "mgrs/v1.0.0", "grid/v1.1.0"],
  };
}

/** A Sentinel-1 scene in the shape of Planetary Computer's `sentinel-1-rtc`. */
export function sentinel1Item(scene: SandboxScene): ItemParts {
  return {
    properties: {
      datetime: scene.datetime,
      start_datetime: scene.datetime.replace("41.5", "29.5"),
      end_datetime: scene.datetime.replace("41.5", "54.5"),
      created: scene.generated,
      platform: "SENTINEL-1A",
      constellation: "Sentinel-1",
      "s1:resolution": "high",
      "s1:processing_level": "1",
      "sar:product_type": "GRD",
      "sar:frequency_band": "C",
      "sar:center_frequency": 5.405,
      "sar:instrument_mode": "IW",
      "sar:polarizations": ["VV", "VH"],
      "sar:looks_range": 5,
      "sar:looks_azimuth": 1,
      "sar:pixel_spacing_range": 10,
      "sar:pixel_spacing_azimuth": 10,
      "sar:observation_direction": "right",
      "sat:orbit_state": "descending",
      "sat:relative_orbit": scene.acquisition.track,
      ...projectionOf(scene, 32_633),
    },
    assets: filesOf(scene, () => ({ "raster:bands": [{ data_type: "float32", nodata: SENTINEL_1_NODATA }] })),
    extensions: ["projection/v1.1.0", "raster/v1.1.0", "sar/v1.0.0", "sat/v1.0.0"],
  };
}

/** A tile of elevation in the shape of Earth Search's `cop-dem-glo-30`. */
export function demItem(scene: SandboxScene): ItemParts {
  return {
    properties: {
      datetime: scene.datetime,
      created: scene.generated,
      updated: scene.generated,
      platform: "tandem-x",
      gsd: 300,
      "grid:code": `CDEM-${scene.place}`,
      ...projectionOf(scene, 4326),
    },
    assets: filesOf(scene, () => ({
      "raster:bands": [{ sampling: "area", data_type: "float32", spatial_resolution: 300, unit: "meter" }],
    })),
    extensions: ["projection/v1.1.0", "raster/v1.1.0", "grid/v1.1.0"],
  };
}
