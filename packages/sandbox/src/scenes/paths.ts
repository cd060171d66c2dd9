import type { AssetPlan } from "./assets.ts";
import {
  DEM_COLLECTION,
  HLS_L30_COLLECTION,
  LANDSAT_COLLECTION,
  type SandboxScene,
  SENTINEL_1_COLLECTION,
  SENTINEL_2_COLLECTION,
} from "./scenes.ts";

/** Folder of files that their upstream names by `s3://` addresses: what follows is a bucket and a key. */
const BUCKETS = "assets/s3/";

/** Path of a file of a scene below the archive's directory; the folders are those of the upstream's stores. */
export function assetPath(scene: SandboxScene, plan: AssetPlan): string {
  const { id, collection, acquisition } = scene;
  const [year = "", month, day] = acquisition.date.split("-");
  switch (collection) {
    case SENTINEL_2_COLLECTION: {
      const zone = Number(scene.place.slice(0, 2));
      const folder = `${zone}/${scene.place[2]}/${scene.place.slice(3)}/${year}/${Number(month)}/${id}`;
      return `assets/${collection}/${folder}/${plan.file}`;
    }
    case LANDSAT_COLLECTION: {
      const product = landsatProduct(scene);
      const folder = `${year}/${scene.place.slice(0, 3)}/${scene.place.slice(3)}/${product}`;
      return `assets/${collection}/${folder}/${product}_${plan.file}`;
    }
    case DEM_COLLECTION:
      return `${BUCKETS}copernicus-dem-30m/${id}/${id}.tif`;
    case SENTINEL_1_COLLECTION: {
      const folder = `GRD/${year}/${Number(month)}/${Number(day)}/IW/DV/${id.replace(/_rtc$/, "")}`;
      return `assets/sentinel1-grd-rtc/${folder}/measurement/iw-${plan.key}.rtc.tiff`;
    }
    default:
      return `assets/lp-prod-protected/${hlsFolder(scene)}/${id}.${plan.file}`;
  }
}

/** Folder of an HLS granule in its bucket. */
export function hlsFolder({ id, collection }: SandboxScene): string {
  return `${collection === HLS_L30_COLLECTION ? "HLSL30" : "HLSS30"}.020/${id}`;
}

/** The bucket's path of a file whose upstream names it by an `s3://` address: `bucket/key`; `undefined` for others. */
export function bucketPath(path: string): string | undefined {
  return path.startsWith(BUCKETS) ? path.slice(BUCKETS.length) : undefined;
}

/** The path of a file in a bucket below the archive's directory. */
export function pathInBucket(bucket: string, key: string): string {
  return `${BUCKETS}${bucket}/${key}`;
}

/** Landsat product id: the item's id with the processing date in it. */
export function landsatProduct(scene: SandboxScene): string {
  return scene.id.replace(/_02_T1$/, `_${scene.generated.slice(0, 10).replaceAll("-", "")}_02_T1`);
}
