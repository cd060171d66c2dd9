import { parentPort, workerData } from "node:worker_threads";
import { writeFrame } from "./frame.ts";
import { createLandscape } from "./landscape.ts";
import { planScenes } from "./scenes.ts";

/** The task that a worker is started with. */
export interface WorkerTask {
  readonly directory: string;
  readonly seed: number;
  /** ISO date. */
  readonly now: string;
}

const task = workerData as WorkerTask;
const landscape = createLandscape(task.seed);
const scenes = planScenes(new Date(task.now));

// frames are requested one by one, so that a worker that finishes early takes the next
parentPort?.on("message", (frame: string | undefined) => {
  if (frame === undefined) {
    parentPort?.close();
    return;
  }
  writeFrame(
    task.directory,
    landscape,
    scenes.filter((scene) => scene.frame === frame),
    (result) => parentPort?.postMessage(result),
  ).then(
    () => parentPort?.postMessage("done"),
    (error: unknown) => {
      throw error;
    },
  );
});
