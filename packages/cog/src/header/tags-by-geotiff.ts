import { GeoTIFF } from "geotiff";
import { CogError } from "../errors.ts";
import { copyBytes } from "../sources/source.ts";
import { type TiffDirectory, typeBytes, viewOf } from "./directories.ts";
import type { HeaderBytes } from "./header-bytes.ts";
import type { Tags } from "./tags.ts";

/** Small arrays that geotiff would load later, in the wrong byte order for big-endian files. */
const SMALL_ARRAYS = [258, 320, 338, 339, 530, 50674];

/**
 * As `readTags`, by geotiff.js.
 *
 * @throws {CogError} `corrupt`, or what the source throws.
 */
export async function readTagsByGeotiff(
  located: TiffDirectory,
  wanted: readonly number[],
  bytes: HeaderBytes,
  littleEndian: boolean,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal | undefined },
): Promise<Tags> {
  const directory = await parsed(key, signal, async () => {
    const tiff = await GeoTIFF.fromSource(toBaseSource(bytes));
    return tiff.parser.parseFileDirectoryAt(located.offset);
  });
  const values = new Map<number, unknown>();
  for (const tag of wanted) {
    if (!located.tags.has(tag)) continue;
    const small = SMALL_ARRAYS.includes(tag) && directory.actualizedFields.get(tag) === undefined;
    const value = small
      ? await shorts(located, tag, bytes, littleEndian)
      : await parsed(key, signal, () => directory.loadValue(tag));
    values.set(tag, value);
  }
  const numbers = (tag: number): readonly number[] => {
    const found = values.get(tag);
    if (typeof found === "number") return [found];
    return ArrayBuffer.isView(found) || Array.isArray(found) ? Array.from(found as ArrayLike<number>) : [];
  };
  return {
    number: (tag) => numbers(tag)[0],
    numbers,
    bytes(tag) {
      const found = values.get(tag);
      return found instanceof Uint8Array ? found : undefined;
    },
    text(tag) {
      const found = values.get(tag);
      if (found instanceof Uint8Array) return new TextDecoder().decode(found);
      return typeof found === "string" ? found : undefined;
    },
    entry: (tag) => located.tags.get(tag),
  };
}

async function shorts(
  directory: TiffDirectory,
  tag: number,
  bytes: HeaderBytes,
  littleEndian: boolean,
): Promise<number[]> {
  const entry = directory.tags.get(tag);
  if (entry === undefined) return [];
  const size = typeBytes(entry.type);
  const view = viewOf(await bytes.readExactly(entry.offset, size * entry.count));
  const values: number[] = [];
  for (let i = 0; i < entry.count; i++) {
    if (size === 1) values.push(view.getUint8(i));
    else if (size === 2) values.push(view.getUint16(i * 2, littleEndian));
    else if (size === 4) values.push(view.getUint32(i * 4, littleEndian));
  }
  return values;
}

function toBaseSource(bytes: HeaderBytes): Parameters<typeof GeoTIFF.fromSource>[0] {
  const fetchSlice = async (slice: {
    offset: number;
    length: number;
  }): Promise<{ offset: number; length: number; data: ArrayBuffer }> => {
    const found = await bytes.read(slice.offset, slice.length);
    return { ...slice, data: copyBytes(found).buffer };
  };
  return {
    fetchSlice,
    fetch: async (slices: { offset: number; length: number }[]) =>
      Promise.all(slices.map(async (slice) => (await fetchSlice(slice)).data)),
    fileSize: null,
    close: async () => {},
  };
}

/** Runs the parser; whatever it stumbles over means that the file is damaged. */
async function parsed<T>(key: string, signal: AbortSignal | undefined, parse: () => Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CogError) throw error;
    throw new CogError("corrupt", `${key}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
