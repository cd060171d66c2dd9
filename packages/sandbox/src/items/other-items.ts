import { type AssetPlan, SENTINEL_1_NODATA } from "../scenes/assets.ts";
import { assetPath, hlsFolder } from "../scenes/paths.ts";
import { productOf } from "../scenes/products.ts";
import { type SandboxScene, sceneGrid } from "../scenes/scenes.ts";
import type { ItemParts, SceneFacts, UpstreamAsset } from "./upstream-item.ts";

const TIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

/** One asset for each file of a scene. */
function filesOf(scene: SandboxScene, describe: (plan: AssetPlan) => object): Record<string, UpstreamAsset> {
  return Object.fromEntries(
    productOf(scene).assets.map((plan) => [
      plan.key,
      { href: assetPath(scene, plan), type: TIFF, title: plan.title, roles: ["data"], ...describe(plan) },
    ]),
  );
}

function projectionOf(scene: SandboxScene, epsg: number): object {
  const { width, height, transform } = sceneGrid(scene);
  return { "proj:epsg": epsg, "proj:shape": [height, width], "proj:transform": [...transform] };
}

/**
 * An HLS granule in the shape of CMR-STAC since 2025: neither platform nor projection, no media type on any file, and
 * each file has a twin at its address in S3, which only readers in that region may read.
 */
export function hlsItem(scene: SandboxScene, { statistics }: SceneFacts): ItemParts {
  const clouds = [7, 8, 9, 10].reduce((sum, value) => sum + (statistics.classes[value] ?? 0), 0);
  const plans = productOf(scene).assets;
  const twin = "This link provides direct download access via S3 to the granule";
  return {
    properties: {
      datetime: scene.datetime,
      "eo:cloud_cover": statistics.valid === 0 ? 0 : Math.round((100 * clouds) / statistics.valid),
      "storage:schemes": {
        aws: {
          type: "aws-s3",
          platform: "https://{bucket}.s3.{region}.amazonaws.com",
          bucket: "lp-prod-protected",
          region: "us-west-2",
        },
      },
      start_datetime: scene.datetime,
      end_datetime: scene.datetime,
    },
    assets: {
      ...Object.fromEntries(
        plans.map((plan, i) => [
          plan.key,
          {
            href: assetPath(scene, plan),
            title: `Direct Download [${i}]`,
            description: `Download ${scene.id}.${plan.file}`,
            roles: ["data"],
          },
        ]),
      ),
      ...Object.fromEntries(
        plans.map((plan, i) => [
          `s3_${plan.key}`,
          {
            href: `s3://lp-prod-protected/${hlsFolder(scene)}/${scene.id}.${plan.file}`,
            title: `S3 Direct Download [${i}]`,
            description: twin,
            roles: ["data"],
            "storage:refs": ["aws"],
          },
        ]),
      ),
    },
    version: "1.1.0",
    extensions: ["eo/v1.0.0", "storage/v2.0.0"],
  };
}

/** A Sentinel-1 scene in the shape of Planetary Computer's `sentinel-1-rtc`, which writes two of its times with a space. */
export function sentinel1Item(scene: SandboxScene): ItemParts {
  const time = (seconds: string): string => `${scene.datetime.slice(0, 10)} 05:11:${seconds}+00:00`;
  return {
    properties: {
      datetime: scene.datetime,
      platform: "SENTINEL-1A",
      end_datetime: time("54.000000"),
      constellation: "Sentinel-1",
      "s1:resolution": "high",
      "s1:orbit_source": "RESORB",
      start_datetime: time("29.000000"),
      "s1:processing_level": "1",
      "s1:product_timeliness": "Fast-24h",
      "sar:product_type": "GRD",
      "sar:frequency_band": "C",
      "sar:center_frequency": 5.405,
      "sar:instrument_mode": "IW",
      "sar:polarizations": ["VV", "VH"],
      "sar:looks_range": 5,
      "sar:looks_azimuth": 1,
      "sar:looks_equivalent_number": 4.4,
      "sar:resolution_range": 20,
      "sar:resolution_azimuth": 22,
      "sar:pixel_spacing_range": 10,
      "sar:pixel_spacing_azimuth": 10,
      "sar:observation_direction": "right",
      "sat:orbit_state": "descending",
      "sat:relative_orbit": scene.acquisition.track,
      "sat:platform_international_designator": "2014-016A",
      ...projectionOf(scene, 32_633),
    },
    assets: filesOf(scene, ({ title }) => ({
      title,
      description: `Terrain-corrected gamma naught values of the signal, ${title}.`,
      "raster:bands": [
        { nodata: SENTINEL_1_NODATA, data_type: "float32", spatial_resolution: sceneGrid(scene).transform[0] },
      ],
    })),
    extensions: ["sar/v1.0.0", "sat/v1.0.0", "projection/v1.1.0", "raster/v1.1.0"],
  };
}

/** A tile of elevation in the shape of Earth Search's `cop-dem-glo-30`, whose bucket anybody may read, in another region. */
export function demItem(scene: SandboxScene): ItemParts {
  const ring = scene.footprint.slice(0, 4);
  const middle = (axis: 0 | 1): number => ring.reduce((sum, at) => sum + at[axis], 0) / ring.length;
  return {
    properties: {
      platform: "tandem-x",
      gsd: 300,
      ...projectionOf(scene, 4326),
      "proj:centroid": { lat: middle(1), lon: middle(0) },
      "grid:code": `CDEM-${scene.place}`,
      "storage:platform": "AWS",
      "storage:region": "eu-central-1",
      "storage:requester_pays": false,
      datetime: scene.datetime,
      "processing:software": { "swath-sandbox": "1" },
      created: scene.generated,
      updated: scene.generated,
    },
    assets: filesOf(scene, () => ({
      "raster:bands": [{ sampling: "area", data_type: "float32", spatial_resolution: 300, unit: "meter" }],
    })),
    extensions: ["projection/v1.1.0", "raster/v1.1.0", "grid/v1.1.0", "storage/v1.0.0", "processing/v1.1.0"],
  };
}
