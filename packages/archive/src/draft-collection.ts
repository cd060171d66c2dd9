import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { CollectionFile } from "@swath/schema/files";
import { findTimeIn } from "./folder/dates-in-paths.ts";
import { fileDate } from "./folder/file-date.ts";
import { readHeader } from "./headers/read-headers.ts";
import { readValues } from "./headers/read-values.ts";
import { dataBands, madeCollection, madeCollectionId, stretchedBands } from "./made-collections.ts";

/** A file that no collection can be made of. */
class FileError extends Error {
  readonly code = "unusable-file";
}

/**
 * A first collection file for a file and others like it: bands, type, nodata and units of its header, zooms, a range of its pixels, and
 * a path that its name fits. Values are as they are stored; common names, masks and the licence are for the reader to write.
 *
 * @throws {Error} with the code `unusable-file` for a file that is not georeferenced, or whose samples no collection can have; with a
 *   code of the system for one that cannot be read.
 */
export async function draftCollection(file: string, signal?: AbortSignal): Promise<CollectionFile> {
  const path = await realpath(file);
  const { size, mtimeMs } = await stat(path);
  const [directory, name] = [dirname(path), basename(path)];
  const folder = { directory, secret: "" };
  const known = await readHeader(folder, { path: name, size, mtimeMs }, signal);
  if ("fault" in known) throw new FileError(`${file}: ${known.fault}.`);
  const { header } = known;
  const bands = dataBands(header);
  const shown = stretchedBands(header).map((band) => bands.indexOf(band));
  const values = await readValues(folder, name, { bands, shown }, signal);
  const [columns, rows] = header.coarsest;
  const time = findTimeIn(name, header.epsg);
  const start = time === undefined ? undefined : "datetime" in time ? time.datetime : time.interval[0];
  const id = madeCollectionId(name, basename(directory));
  const coarse = { coarseGsd: (header.gsd * header.width) / columns, coarsePixels: columns * rows };
  const made = madeCollection(id, id, header, { gsd: header.gsd, ...coarse, start }, values ?? { pixels: [] });
  return { ...made, upstream: { ...made.upstream, files: [{ path: pathLike(name) }] } };
}

/** Parts of a name that may be a date, with a time behind it or not. */
const CANDIDATE = /\d{4}[-_.]?\d\d[-_.]?\d\d(?:[T_]?\d\d:?\d\d:?\d\d)?|\d{7}/g;

/** The path of files in any folder whose names differ in the date and in what stands before it. */
function pathLike(name: string): string {
  const [, stem = "", end = ""] = /^(.*?)(\.tiff?)$/i.exec(name) ?? [undefined, name];
  const date = [...stem.matchAll(CANDIDATE)].findLast(([text]) => fileDate(text) !== undefined);
  if (date === undefined) return `**/{name}${end}`;
  const [before, after] = [stem.slice(0, date.index), stem.slice(date.index + date[0].length)];
  const separator = /[-_.]?$/.exec(before)?.[0];
  return `**/${before === "" ? "" : `{name}${separator}`}{date}${after}${end}`;
}
