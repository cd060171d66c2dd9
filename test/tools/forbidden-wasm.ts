import { registerHooks } from "node:module";
import { expect, vi } from "vitest";

/** Tells the modules that one call loads from those of another. */
let calls = 0;

/**
 * Runs `work` where WebAssembly is forbidden: modules of packages that it imports are loaded again and do without, those that the
 * test has imported go on with it. `asked` counts how often WebAssembly was requested, which is at least once.
 */
export async function whereWasmIsForbidden(work: (asked: () => number) => Promise<void>): Promise<void> {
  const call = ++calls;
  let count = 0;
  function forbidden(): never {
    count += 1;
    throw new Error("Refused to compile or instantiate WebAssembly module");
  }
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const module = next(specifier, context);
      const again = /\/packages\/[^/]+\/src\//.test(module.url);
      return again ? { ...module, url: `${module.url}?forbidden=${call}` } : module;
    },
  });
  vi.stubGlobal("WebAssembly", { Module: forbidden, Instance: forbidden });
  try {
    await work(() => count);
    expect(count).toBeGreaterThan(0);
  } finally {
    vi.unstubAllGlobals();
    hooks.deregister();
  }
}
