import { ownedContext, type WarpContext } from "../context.ts";
import { GridError } from "../errors.ts";

/** Pixels that are deinterleaved at a time. */
const RUN = 65_536;

/**
 * Deinterleaves `rgb` (three bytes per pixel) into `bands`: red, green and blue, each a third of its length.
 *
 * @throws {GridError} `invalid-size` when a band has another length.
 */
export function deinterleaveRgb(
  rgb: Uint8Array,
  bands: readonly [Uint8Array, Uint8Array, Uint8Array],
  { context }: { readonly context?: WarpContext | undefined } = {},
): void {
  const count = rgb.length / 3;
  for (const plane of bands) {
    if (plane.length !== count) {
      throw new GridError("invalid-size", `Expected bands of ${count} values, got ${plane.length}.`);
    }
  }
  const { kernels } = ownedContext(context);
  if (kernels === undefined) {
    for (let i = 0, k = 0; i < count; i++, k += 3) for (let b = 0; b < 3; b++) bands[b]![i] = rgb[k + b]!;
    return;
  }
  const { run, base, bytes } = kernels(6 * RUN + 64);
  const out = base + 3 * RUN + 64;
  for (let start = 0; start < count; start += RUN) {
    const end = Math.min(start + RUN, count);
    bytes.set(rgb.subarray(3 * start, 3 * end), base);
    run.splitColors(base, end - start, out, RUN);
    bands.forEach((plane, b) => {
      const at = out + b * RUN;
      plane.set(bytes.subarray(at, at + end - start), start);
    });
  }
}
