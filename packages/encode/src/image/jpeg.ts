import { EncodeError } from "../errors.ts";

/**
 * Encodes grey or RGB pixels as a baseline JPEG by jpeg-js, chroma in full resolution.
 *
 * @throws {EncodeError} `codec` where the codec cannot be loaded.
 */
export async function encodeJpeg(
  data: Uint8Array,
  channels: 1 | 3,
  width: number,
  height: number,
  quality: number,
): Promise<Uint8Array> {
  const { encode } = await load();
  const rgba = new Uint8Array(4 * width * height).fill(255);
  const green = channels === 3 ? 1 : 0;
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from]!;
    rgba[to + 1] = data[from + green]!;
    rgba[to + 2] = data[from + 2 * green]!;
  }
  return withBuffer(() => Uint8Array.from(encode({ data: rgba, width, height }, quality).data));
}

async function load(): Promise<typeof import("jpeg-js")> {
  try {
    const module = (await import("jpeg-js")) as typeof import("jpeg-js") & { default?: typeof import("jpeg-js") };
    return module.default ?? module;
  } catch (cause) {
    throw new EncodeError("codec", "The JPEG codec could not be loaded.", { cause });
  }
}

/**
 * Runs `work`, which waits for nothing, where `Buffer.from(numbers)` can be called: jpeg-js ends with it, also in browsers, which have no
 * `Buffer`.
 */
function withBuffer<T>(work: () => T): T {
  const scope = globalThis as { Buffer?: unknown };
  if (scope.Buffer !== undefined) return work();
  scope.Buffer = { from: (numbers: ArrayLike<number>) => Uint8Array.from(numbers) };
  try {
    return work();
  } finally {
    delete scope.Buffer;
  }
}
