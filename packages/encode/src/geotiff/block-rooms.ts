import { BufferFreeList } from "@swath/raster";

/** Bytes kept for the next file: the engine is slow to free memory that threads share. */
const MAX_KEPT = 64 << 20;

const kept = new BufferFreeList<ArrayBufferLike>();

/** Memory that threads can share, where there is such, of at least `size` bytes; it may hold anything. */
export function takeMemory(size: number): ArrayBufferLike {
  const used = kept.take(size);
  if (used !== undefined) return used;
  return typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
}

/** Takes back what nobody uses any more. */
export function giveBackMemory(memory: ArrayBufferLike): void {
  if (memory.byteLength > MAX_KEPT) return;
  kept.put(memory);
  kept.drop(Math.max(0, kept.bytes - MAX_KEPT));
}
