import type { OpenJpegModule } from "./openjpeg.ts";

/** The decoder, whose WebAssembly is fetched by its URL: what `#openjpeg` is but in Node. */
export async function loadOpenJpeg(): Promise<OpenJpegModule> {
  const { default: factory } = await import("./openjpeg-glue.js");
  const response = await fetch(new URL("./openjpeg.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: the server answered ${response.status}.`);
  return { factory, compiled: await WebAssembly.compile(await response.arrayBuffer()) };
}
