import { expect, vi } from "vitest";
import { ownedContext } from "../src/context.ts";

/**
 * Runs `work` where WebAssembly is forbidden: modules that it imports do without, those that the test has imported go on with it.
 * `asked` counts how often it was requested.
 */
export async function whereForbidden(work: (asked: () => number) => Promise<void>): Promise<void> {
  // those of the test have loaded theirs: else both would do without, and be the same
  expect(ownedContext(undefined).kernels).toBeDefined();
  let count = 0;
  function forbidden(): never {
    count += 1;
    throw new Error("Refused to compile or instantiate WebAssembly module");
  }
  vi.resetModules();
  vi.stubGlobal("WebAssembly", { Module: forbidden, Instance: forbidden });
  try {
    await work(() => count);
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
}
