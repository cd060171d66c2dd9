import type { OpenJpegModule } from "./openjpeg.ts";

/** The decoder, which fetches its WebAssembly by URL: `#openjpeg` stands for it everywhere except in Node. */
export async function loadOpenJpeg(): Promise<OpenJpegModule> {
  const { default: factory } = await import("./openjpeg-glue.js");
  const response = await fetch(new URL("./openjpeg.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: the server answered ${response.status}.`);
  return { factory, compiled: await WebAssembly.compile(await response.arrayBuffer()) };
}
