import { whereWasmIsForbidden } from "../../../test/tools/forbidden-wasm.ts";
import { compressRuns } from "../src/deflate/runs.ts";

/** Runs `work` where WebAssembly is forbidden: modules that it imports do without, those that the test has imported go on with it. */
export async function whereForbidden(work: () => Promise<void>): Promise<void> {
  // those of the test load theirs
  compressRuns(new Uint8Array(1));
  await whereWasmIsForbidden(work);
}
