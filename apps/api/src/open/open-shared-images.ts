import { SharedImages } from "@swath/engine/node/images";
import { claimTurn, type Store, sweepObjects } from "@swath/store";
import { openObjects, secretFor } from "@swath/store/node";
import type { Metrics } from "../metrics/metrics.ts";
import type { Environment } from "./environment/environment.ts";

/** The nodes' common cache of finished images. */
export interface SharedImageCache {
  readonly images: SharedImages;
  /** The same images for who has time to wait for them. */
  readonly patient: SharedImages;
  /** Removes images that are too old or too many, where no node has done so within the hour; returns what it did. */
  sweep(now: number): Promise<Awaited<ReturnType<typeof sweepObjects>> | undefined>;
}

/** Name of the folder or prefix beside results. */
const FOLDER = "images";
const PATIENT_MS = 2000;
const SWEEP_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Opens the cache beside the results of the deployment; undefined where it is off. */
export function openSharedImages(
  { sharedImages, dataDir, results }: Pick<Environment, "sharedImages" | "dataDir" | "results">,
  { store, secret, metrics }: { readonly store: Store; readonly secret: Uint8Array; readonly metrics: Metrics },
): SharedImageCache | undefined {
  if (sharedImages === undefined) return undefined;
  const objects = openObjects({ dataDir, ...results }, FOLDER);
  const maxAgeMs = sharedImages.days * DAY_MS;
  const open = (lookUpMs: number): SharedImages =>
    new SharedImages({
      objects,
      secret: secretFor("shared images", secret),
      maxAgeMs,
      lookUpMs,
      onOutcome: (outcome) => metrics.sharedImage(outcome),
    });
  return {
    images: open(sharedImages.lookUpMs),
    patient: open(Math.max(PATIENT_MS, sharedImages.lookUpMs)),
    sweep: async (now) => {
      if (!(await claimTurn(store, "shared images swept", SWEEP_MS, now))) return undefined;
      return sweepObjects(objects, { maxAgeMs, maxBytes: sharedImages.maxBytes }, now);
    },
  };
}
