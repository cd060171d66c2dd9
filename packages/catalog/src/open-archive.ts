import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createArchiveCatalog } from "./archive.ts";
import type { Catalog } from "./catalog.ts";
import { CatalogError } from "./errors.ts";
import { isJson, type Json, jsonOf } from "./json.ts";

/** A catalogue of the items in a directory, whose files are below it. */
export interface OpenArchive extends Catalog {
  /** What `archive:` in an asset's href stands for: `archive:assets/a.tif` is `{directory}/assets/a.tif`. */
  readonly directory: string;
}

/** A URL with a scheme, or a path from the root. */
const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*:|\/)/;

/**
 * Opens an archive: `items/{upstream collection}.ndjson`, one item in the upstream's shape a line, with hrefs relative
 * to the directory.
 *
 * @throws {CatalogError} `unavailable` where the directory has no items or a line is not JSON.
 */
export async function openArchive(directory: string): Promise<OpenArchive> {
  const folder = join(directory, "items");
  const items: Json[] = [];
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).sort();
    for (const name of names) {
      for (const [i, line] of (await readFile(join(folder, name), "utf8")).split("\n").entries()) {
        if (line.trim() !== "") items.push(withArchiveHrefs(parsed(line, name, i + 1)));
      }
    }
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw new CatalogError("unavailable", `No archive in ${directory}.`, { cause });
  }
  return { ...createArchiveCatalog({ items }), directory };
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
