import type { SkippedScene } from "../run/compute/compute-job.ts";

/** Scenes that a text names; of the others it says how many there are. */
const MAX_NAMED = 20;

/** Describes the scenes that were left out, and the reasons; `undefined` where none was. */
export function skippedDetail(skipped: readonly SkippedScene[]): string | undefined {
  if (skipped.length === 0) return undefined;
  const named = skipped.slice(0, MAX_NAMED).map(({ id, reason }) => `Scene ${id} was left out: ${reason}.`);
  const more = skipped.length - MAX_NAMED;
  return [...named, ...(more > 0 ? [`${more} more scenes were left out.`] : [])].join(" ");
}
