import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { OpenJpegModule } from "./openjpeg.ts";

/** The decoder, whose WebAssembly is read from its file: `#openjpeg` in Node. */
export async function loadOpenJpeg(): Promise<OpenJpegModule> {
  const { default: factory } = await import("@cornerstonejs/codec-openjpeg/decodewasmjs");
  const path = fileURLToPath(import.meta.resolve("@cornerstonejs/codec-openjpeg/decodewasm"));
  return { factory, compiled: await WebAssembly.compile(await readFile(path)) };
}
