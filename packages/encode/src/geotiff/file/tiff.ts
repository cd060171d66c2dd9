/** One field of an image file directory. Kinds and numbers as in TIFF 6.0 section 2; `long8` is BigTIFF's. */
export type TiffField =
  | { readonly tag: number; readonly kind: "ascii"; readonly text: string }
  | { readonly tag: number; readonly kind: "short" | "long" | "long8" | "double"; readonly values: ArrayLike<number> };

const KINDS = {
  ascii: { code: 2, size: 1 },
  short: { code: 3, size: 2 },
  long: { code: 4, size: 4 },
  double: { code: 12, size: 8 },
  long8: { code: 16, size: 8 },
} as const;

function setValue(view: DataView, kind: TiffField["kind"], at: number, value: number): void {
  if (kind === "short") view.setUint16(at, value, true);
  else if (kind === "long") view.setUint32(at, value, true);
  else if (kind === "double") view.setFloat64(at, value, true);
  else view.setBigUint64(at, BigInt(value), true);
}

function contentOf(field: TiffField): { bytes: Uint8Array; count: number } {
  if (field.kind === "ascii") {
    const bytes = new TextEncoder().encode(`${field.text}\0`);
    return { bytes, count: bytes.length };
  }
  const { size } = KINDS[field.kind];
  const bytes = new Uint8Array(field.values.length * size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < field.values.length; i++) setValue(view, field.kind, i * size, field.values[i] as number);
  return { bytes, count: field.values.length };
}

function align(length: number, to: number): number {
  return Math.ceil(length / to) * to;
}

/** Bytes that {@link writeDirectory} makes of the fields: a multiple of 8. */
export function directorySize(fields: readonly TiffField[], big: boolean): number {
  const inline = big ? 8 : 4;
  let size = align(big ? 16 + fields.length * 20 : 6 + fields.length * 12, 8);
  for (const field of fields) {
    const length =
      field.kind === "ascii"
        ? new TextEncoder().encode(field.text).length + 1
        : field.values.length * KINDS[field.kind].size;
    if (length > inline) size += align(length, 8);
  }
  return size;
}

/**
 * A directory and, after it, the values that do not fit into its entries, for a file where it starts at `offset`.
 * `next` is the offset of the next directory, 0 for none.
 */
export function writeDirectory(fields: readonly TiffField[], offset: number, next: number, big: boolean): Uint8Array {
  const out = new Uint8Array(directorySize(fields, big));
  const view = new DataView(out.buffer);
  const sorted = [...fields].sort((a, b) => a.tag - b.tag);
  const setOffset = (at: number, value: number): void =>
    big ? view.setBigUint64(at, BigInt(value), true) : view.setUint32(at, value, true);
  const entrySize = big ? 20 : 12;
  const inline = big ? 8 : 4;
  let at = big ? 8 : 2;
  let tail = align(big ? 16 + fields.length * 20 : 6 + fields.length * 12, 8);
  if (big) view.setBigUint64(0, BigInt(fields.length), true);
  else view.setUint16(0, fields.length, true);
  for (const field of sorted) {
    const { bytes, count } = contentOf(field);
    view.setUint16(at, field.tag, true);
    view.setUint16(at + 2, KINDS[field.kind].code, true);
    setOffset(at + 4, count);
    const valueAt = at + entrySize - inline;
    if (bytes.length <= inline) {
      out.set(bytes, valueAt);
    } else {
      setOffset(valueAt, offset + tail);
      out.set(bytes, tail);
      tail += align(bytes.length, 8);
    }
    at += entrySize;
  }
  setOffset(at, next);
  return out;
}
