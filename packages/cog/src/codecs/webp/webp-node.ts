import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Decodes a WebP image to RGBA. */
export type WebpDecode = typeof import("@jsquash/webp/decode.js").default;

/** The decoder of WebP, whose WebAssembly is read from its file, as Node's `fetch` reads none: `#webp-module` in Node. */
export async function loadWebp(): Promise<WebpDecode> {
  const module = await import("@jsquash/webp/decode.js");
  const path = fileURLToPath(import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm"));
  const init = module.init as unknown as (compiled: WebAssembly.Module) => Promise<void>;
  await init(await WebAssembly.compile(await readFile(path)));
  return module.default;
}
