import { Refusal } from "../../src/refusal.ts";

/** Returns the refusal that `work` throws, with its limits. */
export function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}
