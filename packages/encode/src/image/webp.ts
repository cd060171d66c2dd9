import type { WebPModule } from "@jsquash/webp/codec/enc/webp_enc.js";
import type { EncodeContext } from "../context.ts";
import { EncodeError } from "../errors.ts";

/**
 * The parts of Node this needs, without importing them: bundles for browsers stay free of `node:`, and Node's `fetch`
 * does not read the `file:` address from which the codec would load itself.
 */
interface NodeProcess {
  getBuiltinModule?(name: "node:module"): { createRequire(from: string): { resolve(name: string): string } };
  getBuiltinModule?(name: "node:fs/promises"): { readFile(path: string): Promise<Uint8Array<ArrayBuffer>> };
}

async function moduleFromDisk(process: NodeProcess, name: string): Promise<WebAssembly.Module | undefined> {
  const modules = process.getBuiltinModule?.("node:module");
  const files = process.getBuiltinModule?.("node:fs/promises");
  if (modules === undefined || files === undefined) return undefined;
  const path = modules.createRequire(import.meta.url).resolve(`@jsquash/webp/codec/enc/${name}.wasm`);
  return WebAssembly.compile(await files.readFile(path));
}

/** Whether this engine runs WebAssembly SIMD: a module of one function that uses it. */
function hasSimd(): boolean {
  const probe = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ];
  return WebAssembly.validate(Uint8Array.from(probe));
}

async function load(): Promise<WebPModule> {
  const name = hasSimd() ? "webp_enc_simd" : "webp_enc";
  const factory =
    name === "webp_enc_simd"
      ? (await import("@jsquash/webp/codec/enc/webp_enc_simd.js")).default
      : (await import("@jsquash/webp/codec/enc/webp_enc.js")).default;
  const process = (globalThis as { process?: NodeProcess }).process;
  const module = process === undefined ? undefined : await moduleFromDisk(process, name);
  return factory({
    noInitialRun: true,
    ...(module && {
      instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
        const instance = new WebAssembly.Instance(module, imports);
        done(instance);
        return instance.exports;
      },
    }),
  });
}

/**
 * A lossy WebP of RGBA pixels with lossless alpha, by libwebp compiled to WebAssembly, loaded on first use. Fastest method.
 *
 * @throws {EncodeError} `codec` where the codec cannot be loaded or refuses the pixels.
 */
export async function encodeWebp(
  context: EncodeContext,
  rgba: Uint8Array,
  width: number,
  height: number,
  quality: number,
): Promise<Uint8Array> {
  let codec: WebPModule;
  try {
    codec = await context.codec("webp", load);
  } catch (cause) {
    throw new EncodeError("codec", "The WebP codec could not be loaded.", { cause });
  }
  const { defaultOptions } = await import("@jsquash/webp/meta.js");
  const result = codec.encode(new Uint8Array(rgba), width, height, { ...defaultOptions, quality, method: 0 });
  if (!result) throw new EncodeError("codec", `WebP refused an image of ${width} × ${height} pixels.`);
  return Uint8Array.from(result);
}
