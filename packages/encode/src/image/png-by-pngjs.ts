import { EncodeError } from "../errors.ts";

const COLOR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** Rows of samples of 8 or 16 bits: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. */
export interface SampledImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Uint8Array | Uint16Array;
}

/**
 * A PNG by pngjs, in its build for browsers, which needs no module of Node.
 *
 * @throws {EncodeError} `codec` where the codec cannot be loaded.
 */
export async function encodeByPngjs({ width, height, channels, data }: SampledImage): Promise<Uint8Array> {
  const { PNG } = await load();
  const colorType = COLOR_TYPES[channels];
  const bitDepth = data instanceof Uint16Array ? 16 : 8;
  // pngjs reads 16-bit samples from the start of the buffer that the array is a part of
  const bytes = new Uint8Array(data.slice().buffer);
  const png = { width, height, data: bytes, gamma: 0 } as unknown as InstanceType<typeof PNG>;
  const options = { width, height, colorType, inputColorType: colorType, bitDepth } as const;
  return Uint8Array.from(PNG.sync.write(png, { ...options, inputHasAlpha: channels === 2 || channels === 4 }));
}

async function load(): Promise<typeof import("pngjs")> {
  try {
    const module = (await import("pngjs/browser.js")) as typeof import("pngjs") & { default?: typeof import("pngjs") };
    return module.default ?? module;
  } catch (cause) {
    throw new EncodeError("codec", "The PNG codec could not be loaded.", { cause });
  }
}
