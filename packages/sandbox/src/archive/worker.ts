import { parentPort, workerData } from "node:worker_threads";
import { createLandscape } from "../country/landscape.ts";
import { planScenes } from "../scenes/scenes.ts";
import { createSurveyor, writeScenes } from "./frame.ts";

/** The task that a worker is started with. */
export interface WorkerTask {
  readonly directory: string;
  readonly seed: number;
  /** ISO date. */
  readonly now: string;
}

const task = workerData as WorkerTask;
const landscape = createLandscape(task.seed);
const surveyor = createSurveyor(landscape);
const scenes = new Map(planScenes(new Date(task.now)).map((scene) => [scene.id, scene]));

// scenes are requested share by share, so that a worker that finishes early takes the next
parentPort?.on("message", (ids: readonly string[] | undefined) => {
  if (ids === undefined) {
    parentPort?.close();
    return;
  }
  const share = ids.map((id) => scenes.get(id)!);
  writeScenes(task.directory, landscape, surveyor, share, (result) => parentPort?.postMessage(result)).then(
    () => parentPort?.postMessage("done"),
    (error: unknown) => {
      throw error;
    },
  );
});
