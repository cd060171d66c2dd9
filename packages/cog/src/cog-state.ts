import { BlockTable } from "./blocks/block-table.ts";
import type { Codecs } from "./codecs/codecs.ts";
import { CogError } from "./errors.ts";
import type { Header } from "./header/header.ts";
import { readHeader } from "./header/header.ts";
import type { TiffImage } from "./header/tiff-image.ts";
import type { Source } from "./sources/source.ts";

/** The state of a `Cog`; it is replaced when the file changed. */
export interface CogState {
  readonly source: Source;
  readonly codecs: Codecs;
  readonly prefetch: number;
  header: Header;
  tables: Map<number, BlockTable>;
  /** A block was damaged in two answers: the header that located it is read again before it is used again. */
  suspect: boolean;
}

/**
 * Reads the header of a file: one read where it is within the first `prefetch` bytes.
 *
 * @throws {CogError} `not-a-tiff`, `corrupt`, `unsupported`, `too-large`, or what the source throws.
 */
export async function openState(
  source: Source,
  codecs: Codecs,
  prefetch: number,
  signal: AbortSignal | undefined,
): Promise<CogState> {
  const header = await readHeader(source, prefetch, signal).catch((error: unknown) => {
    // it was replaced between two reads of its header: the second look sees one file
    if (error instanceof CogError && error.code === "changed") return readHeader(source, prefetch, signal);
    throw error;
  });
  return { source, codecs, prefetch, header, tables: new Map(), suspect: false };
}

/** The table of an image, made once. */
export function tableOf(state: CogState, image: TiffImage): BlockTable {
  let table = state.tables.get(image.id);
  if (table === undefined) {
    table = new BlockTable(image, state.header.littleEndian, state.source);
    state.tables.set(image.id, table);
  }
  return table;
}

/** Reads the header again after the file changed; every holder of the `Cog` sees the new one. */
export async function reopen(state: CogState, signal: AbortSignal | undefined): Promise<void> {
  state.header = await readHeader(state.source, state.prefetch, signal);
  state.tables = new Map();
  state.suspect = false;
}
