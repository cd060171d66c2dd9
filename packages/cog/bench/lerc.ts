// A LERC block of 512 x 512 float32, beside Esri's WebAssembly: node --conditions=@swath/source bench/lerc.ts
import { readFileSync } from "node:fs";
import * as lerc from "lerc";
import { decodeLerc2 } from "../src/codecs/lerc/lerc2.ts";

const ROUNDS = 200;
const blobs: { blob: string }[] = JSON.parse(
  readFileSync(new URL("../test/fixtures/lerc/blobs.json", import.meta.url), "utf8"),
);
const bytes = new Uint8Array(Buffer.from(blobs.at(-1)?.blob ?? "", "base64"));
await lerc.load();

/** Median of milliseconds. */
function time(run: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
}

const bounds = { sampleType: "float32", width: 512, height: 512, depth: 1 } as const;
const ours = time(() => decodeLerc2(bytes, bounds));
const theirs = time(() => lerc.decode(bytes.buffer));
console.log(`${ours.toFixed(2)} ms here, ${theirs.toFixed(2)} ms in Esri's WebAssembly`);
