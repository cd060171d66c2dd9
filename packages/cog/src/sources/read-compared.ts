import { CogError } from "../errors.ts";
import type { Source, SourceReadOptions } from "./source.ts";

/**
 * Reads bytes that no checksum vouches for. It reads them of an exposed source twice at the same time and compares the
 * answers; where the two differ, a third answer has to be one of them.
 *
 * @throws {CogError} `corrupt` where no two of three answers are the same; what the source throws
 */
export async function readCompared(
  source: Source,
  offset: number,
  length: number,
  options?: SourceReadOptions,
): Promise<Uint8Array> {
  const isExposed = (): boolean => source.exposed === true;
  if (!isExposed()) {
    const bytes = await source.read(offset, length, options);
    // it may have been redirected to plain HTTP
    if (!isExposed()) return bytes;
  }
  const signal = options?.signal;
  const [first, second] = await Promise.all([
    source.read(offset, length, options),
    source.read(offset, length, { signal }),
  ]);
  if (isSame(first, second)) return first;
  const third = await source.read(offset, length, { signal });
  if (isSame(first, third)) return first;
  if (isSame(second, third)) return second;
  throw new CogError("corrupt", `${source.key}: three answers for ${length} bytes at ${offset} differ.`);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
