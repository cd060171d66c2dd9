import type { AssetPlan } from "./assets.ts";
import { LANDSAT_COLLECTION, type SandboxScene, SENTINEL_2_COLLECTION } from "./scenes.ts";

/** Path of a file of a scene below the archive's directory; the folders are those of the upstream's buckets. */
export function assetPath(scene: SandboxScene, plan: AssetPlan): string {
  const [year, month] = scene.acquisition.date.split("-");
  if (scene.collection === SENTINEL_2_COLLECTION) {
    const zone = Number(scene.place.slice(0, 2));
    const folder = `${zone}/${scene.place[2]}/${scene.place.slice(3)}/${year}/${Number(month)}/${scene.id}`;
    return `assets/${scene.collection}/${folder}/${plan.file}`;
  }
  if (scene.collection !== LANDSAT_COLLECTION) return `assets/${scene.collection}/${scene.id}/${scene.id}.${plan.file}`;
  const product = landsatProduct(scene);
  return `assets/${scene.collection}/${year}/${scene.place.slice(0, 3)}/${scene.place.slice(3)}/${product}/${product}_${plan.file}`;
}

/** Landsat product id: the item's id with the processing date in it. */
export function landsatProduct(scene: SandboxScene): string {
  return scene.id.replace(/_02_T1$/, `_${scene.generated.slice(0, 10).replaceAll("-", "")}_02_T1`);
}
