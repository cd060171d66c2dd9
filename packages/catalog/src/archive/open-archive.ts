import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionRegistry } from "@swath/schema";
import type { MergeableCatalog } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import { isJson, type Json, jsonOf } from "../json.ts";
import { createArchiveCatalog } from "./archive.ts";

/** A catalogue of the items in a directory, whose files are below it. */
export interface OpenArchive extends MergeableCatalog {
  /** The folder that `archive:` in an asset's href stands for: `archive:assets/a.tif` is `{directory}/assets/a.tif`. */
  readonly directory: string;
}

/** A URL with a scheme, or a path from the root. */
const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*:|\/)/;

/**
 * Opens an archive: `items/{upstream collection}.ndjson`, one item in the upstream's shape per line, with hrefs
 * relative to the directory.
 *
 * @throws {CatalogError} `unavailable` where the directory has no items or a line is not JSON.
 */
export async function openArchive(
  directory: string,
  options: { readonly registry?: CollectionRegistry | undefined } = {},
): Promise<OpenArchive> {
  const folder = join(directory, "items");
  const files: { name: string; text: string }[] = [];
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).sort();
    for (const name of names) files.push({ name, text: await readFile(join(folder, name), "utf8") });
  } catch (cause) {
    throw new CatalogError("unavailable", `No archive in ${directory}.`, { cause });
  }
  return { ...createArchiveCatalog({ items: itemsOf(files), registry: options.registry }), directory };
}

/** One item at a time: a large archive is never there twice, as it is and as it is served. */
function* itemsOf(files: readonly { readonly name: string; readonly text: string }[]): Generator<Json> {
  for (const { name, text } of files) {
    let number = 0;
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf("\n", start);
      const line = text.slice(start, end === -1 ? text.length : end);
      start = end === -1 ? text.length : end + 1;
      number += 1;
      if (line.trim() !== "") yield withArchiveHrefs(parsed(line, name, number));
    }
  }
}

function parsed(line: string, name: string, number: number): Json {
  try {
    return jsonOf(JSON.parse(line));
  } catch (cause) {
    throw new CatalogError("unavailable", `Line ${number} of ${name} is not JSON.`, { cause });
  }
}

function withArchiveHrefs(item: Json): Json {
  const assets = Object.entries(jsonOf(item.assets)).map(([key, asset]): [string, unknown] => {
    if (!isJson(asset) || typeof asset.href !== "string" || ABSOLUTE.test(asset.href)) return [key, asset];
    return [key, { ...asset, href: `archive:${asset.href.replace(/^(\.\/)+/, "")}` }];
  });
  return { ...item, assets: Object.fromEntries(assets) };
}
