/** Chunks of a WebP file that hold the image of a frame. */
const IMAGE_CHUNKS = new Set(["ALPH", "VP8 ", "VP8L"]);
/** Milliseconds that a frame can be shown for at most. */
const MAX_DURATION = 2 ** 24 - 1;
/** Flags of `VP8X` and `ANMF`: an animation, and a frame that replaces what is below it. */
const HAS_ANIMATION = 0x02;
const NO_BLENDING = 0x02;

function chunk(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(8 + size + (size % 2));
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setUint32(4, size, true);
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Numbers of three bytes each, the least significant first. */
const threes = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255]));

/** The chunks of the image in a WebP file, as they stand. */
function imageOf(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const text = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < 12 || text(0) !== "RIFF" || text(8) !== "WEBP") throw new Error("Expected a WebP file.");
  const found: Uint8Array[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (IMAGE_CHUNKS.has(text(at))) found.push(file.subarray(at, end));
    at = end;
  }
  if (found.length === 0) throw new Error("Expected an image in the WebP file.");
  return found;
}

/**
 * Joins images to an animation that is repeated for ever, without encoding them anew (WebP container, RFC 9649).
 *
 * @param images - WebP files, each of `width` × `height` pixels
 * @param duration - milliseconds of each frame
 */
export function animatedWebp(
  images: readonly Uint8Array[],
  { width, height, duration }: { readonly width: number; readonly height: number; readonly duration: number },
): Uint8Array<ArrayBuffer> {
  const milliseconds = Math.min(MAX_DURATION, Math.max(1, Math.round(duration)));
  const frames = images.map((image) =>
    chunk("ANMF", threes(0, 0, width - 1, height - 1, milliseconds), Uint8Array.of(NO_BLENDING), ...imageOf(image)),
  );
  const head = chunk("VP8X", Uint8Array.of(HAS_ANIMATION, 0, 0, 0), threes(width - 1, height - 1));
  // background: transparent black; repeated without end
  const animation = chunk("ANIM", new Uint8Array(6));
  return chunk("RIFF", new TextEncoder().encode("WEBP"), head, animation, ...frames) as Uint8Array<ArrayBuffer>;
}
