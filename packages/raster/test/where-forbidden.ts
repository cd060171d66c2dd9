import { expect } from "vitest";
import { whereWasmIsForbidden } from "../../../test/tools/forbidden-wasm.ts";
import { ownedContext } from "../src/context.ts";

/**
 * Runs `work` where WebAssembly is forbidden: modules that it imports do without, those that the test has imported go on with it.
 * `asked` counts how often it was requested.
 */
export async function whereForbidden(work: (asked: () => number) => Promise<void>): Promise<void> {
  // those of the test have loaded theirs: else both would do without, and be the same
  expect(ownedContext(undefined).kernels).toBeDefined();
  await whereWasmIsForbidden(work);
}
