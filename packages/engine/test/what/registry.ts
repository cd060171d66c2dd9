import { type CollectionMatch, createRegistry } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import { Refusal } from "../../src/refusal.ts";

export const registry = createRegistry(BUILT_IN_FILES);

/** A collection by its id. */
export const matchOf = (id: string): CollectionMatch => registry.find(id)!;

/** Returns the refusal that `work` throws. */
export function refusalOf(work: () => unknown): Pick<Refusal, "code" | "path" | "detail" | "faults"> {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, path, detail, faults } = error;
    return { code, path, detail, faults };
  }
  throw new Error("Nothing was refused.");
}
