/** An object as a sweep sees it. */
export interface ObjectAge {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Bytes. */
  readonly size: number;
}

/** Small objects by name in a folder or bucket that nodes share: what is in it may be lost at any time. */
export interface ObjectStore {
  /**
   * The bytes of an object; undefined where there is none.
   *
   * @throws where the place does not answer, for an object of more than `maxBytes`, and the reason of the signal.
   */
  read(
    name: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined>;
  /** Writes an object, whole or not at all, in place of the one of that name. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  remove(name: string): Promise<void>;
  list(): AsyncIterable<ObjectAge>;
}

/** The bounds within which objects are kept. */
export interface ObjectBounds {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Steps of age by which the oldest are removed. */
const STEPS = 200;

/**
 * Removes objects that are too old, and of the others the oldest until they have at most `maxBytes`, to a step of a 200th of the
 * greatest age. The names are not kept in memory: they are listed twice.
 *
 * @returns count and bytes of what was removed, and bytes of what was left.
 */
export async function sweepObjects(
  objects: Pick<ObjectStore, "list" | "remove">,
  { maxAgeMs, maxBytes }: ObjectBounds,
  now: number = Date.now(),
): Promise<{ readonly removed: number; readonly removedBytes: number; readonly leftBytes: number }> {
  const stepOf = (modified: number): number => Math.floor(((now - modified) / maxAgeMs) * STEPS);
  const bytes = new Float64Array(STEPS);
  for await (const { modified, size } of objects.list()) {
    const step = Math.max(0, stepOf(modified));
    if (step < STEPS) bytes[step] = (bytes[step] ?? 0) + size;
  }
  let firstRemoved = 0;
  for (let left = maxBytes; firstRemoved < STEPS; firstRemoved++) {
    left -= bytes[firstRemoved] ?? 0;
    if (left < 0) break;
  }
  const done = { removed: 0, removedBytes: 0, leftBytes: 0 };
  for await (const { name, modified, size } of objects.list()) {
    // a modification time that cannot be read counts as too old
    if (stepOf(modified) < firstRemoved) {
      done.leftBytes += size;
      continue;
    }
    await objects.remove(name);
    done.removed += 1;
    done.removedBytes += size;
  }
  return done;
}
