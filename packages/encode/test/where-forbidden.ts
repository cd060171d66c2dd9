import { expect, vi } from "vitest";
import { compressRuns } from "../src/deflate/runs.ts";

/** Runs `work` where WebAssembly is forbidden: modules that it imports do without, those that the test has imported go on with it. */
export async function whereForbidden(work: () => Promise<void>): Promise<void> {
  // those of the test load theirs
  compressRuns(new Uint8Array(1));
  let asked = 0;
  function forbidden(): never {
    asked += 1;
    throw new Error("Refused to compile or instantiate WebAssembly module");
  }
  vi.resetModules();
  vi.stubGlobal("WebAssembly", { Module: forbidden, Instance: forbidden });
  try {
    await work();
    expect(asked).toBeGreaterThan(0);
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
}
