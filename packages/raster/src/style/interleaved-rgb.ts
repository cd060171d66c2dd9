import { GridError } from "../errors.ts";
import { ownedContext, type WarpContext } from "../warp/context.ts";

/** Pixels that are split at a time. */
const RUN = 65_536;

/**
 * Three planes of `colors`, which holds red, green and blue pixel by pixel, into arrays of a third of its length.
 *
 * @throws {GridError} `invalid-size` where they have another.
 */
export function deinterleaveRgb(
  colors: Uint8Array,
  planes: readonly [Uint8Array, Uint8Array, Uint8Array],
  { context }: { readonly context?: WarpContext | undefined } = {},
): void {
  const count = colors.length / 3;
  for (const plane of planes) {
    if (plane.length !== count) {
      throw new GridError("invalid-size", `Expected planes of ${count} values, got ${plane.length}.`);
    }
  }
  const { kernels } = ownedContext(context);
  if (kernels === undefined) {
    for (let i = 0, k = 0; i < count; i++, k += 3) for (let b = 0; b < 3; b++) planes[b]![i] = colors[k + b]!;
    return;
  }
  const { run, base, bytes } = kernels(6 * RUN + 64);
  const out = base + 3 * RUN + 64;
  for (let start = 0; start < count; start += RUN) {
    const end = Math.min(start + RUN, count);
    bytes.set(colors.subarray(3 * start, 3 * end), base);
    run.splitColors(base, end - start, out, RUN);
    planes.forEach((plane, b) => {
      const at = out + b * RUN;
      plane.set(bytes.subarray(at, at + end - start), start);
    });
  }
}
