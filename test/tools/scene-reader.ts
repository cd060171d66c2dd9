import { createResources, type RenderSettings } from "../../packages/engine/src/run/resources.ts";
import { createReadScene, type ReadScene } from "../../packages/engine/src/run/scene/read-scene.ts";

/** Reads scenes as render threads do. */
export function sceneReader(settings: RenderSettings): ReadScene {
  return createReadScene(createResources(settings));
}
