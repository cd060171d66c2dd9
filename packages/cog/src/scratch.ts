import { bytesPerSample, type Samples, type SampleType } from "@swath/raster";

const CONSTRUCTORS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** Buffers come in multiples of this. */
const STEP = 65_536;
/** Bytes kept for the next reader, and the largest buffer that is. */
const MAX_KEPT = 32 * 1024 * 1024;
const MAX_BUFFER = 4 * 1024 * 1024;

const kept = new Map<number, ArrayBuffer[]>();
let keptBytes = 0;

/**
 * Arrays that live for one read. Memory outside the engine's heap is what drives its full collections: windows, of
 * which a map tile needs megabytes, are therefore used again. They hold anything: every sample must be written.
 */
export function takeScratch(type: SampleType, length: number): Samples {
  const size = Math.ceil((length * bytesPerSample(type)) / STEP) * STEP;
  const buffer = kept.get(size)?.pop();
  if (buffer !== undefined) keptBytes -= size;
  return new CONSTRUCTORS[type](buffer ?? new ArrayBuffer(size), 0, length);
}

/** Gives back arrays that nobody uses any more, those of `takeScratch` only. */
export function giveBackScratch(arrays: Iterable<Samples>): void {
  for (const { buffer } of arrays) {
    const size = buffer.byteLength;
    if (size === 0 || size > MAX_BUFFER || keptBytes + size > MAX_KEPT || !(buffer instanceof ArrayBuffer)) continue;
    const alike = kept.get(size);
    if (alike === undefined) kept.set(size, [buffer]);
    else alike.push(buffer);
    keptBytes += size;
  }
}
