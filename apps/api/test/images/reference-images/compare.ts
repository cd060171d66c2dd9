import type { Pixels } from "../../tools/images.ts";

/** The largest differences of an image from its reference, in levels of 255. */
export interface Tolerance {
  /** Any channel of any pixel. */
  readonly largest: number;
  /** Mean over all channels of all pixels. */
  readonly mean: number;
}

export interface ImageDifference extends Tolerance {
  /** Pixels of which any channel differs. */
  readonly different: number;
  readonly summary: string;
}

/** Compares RGBA pixel by pixel; colours of pixels that are transparent in both do not count. Sizes that differ are infinitely far. */
export function compareImages(expected: Pixels, actual: Pixels): ImageDifference {
  if (expected.width !== actual.width || expected.height !== actual.height) {
    const [was, is] = [expected, actual].map(({ width, height }) => `${width} × ${height}`);
    return { different: Infinity, largest: Infinity, mean: Infinity, summary: `${is} pixels in place of ${was}` };
  }
  const count = expected.width * expected.height;
  let [different, largest, sum] = [0, 0, 0];
  for (let pixel = 0; pixel < count; pixel++) {
    if (expected.data[pixel * 4 + 3] === 0 && actual.data[pixel * 4 + 3] === 0) continue;
    let most = 0;
    for (let at = pixel * 4; at < pixel * 4 + 4; at++) {
      const by = Math.abs((expected.data[at] ?? 0) - (actual.data[at] ?? 0));
      most = Math.max(most, by);
      sum += by;
    }
    if (most > 0) different += 1;
    largest = Math.max(largest, most);
  }
  const mean = sum / (count * 4);
  const summary = `${different} of ${count} pixels differ, by ${largest} levels at most, ${mean.toFixed(3)} on average`;
  return { different, largest, mean, summary };
}
