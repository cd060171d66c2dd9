import type { Json, RecordedItem } from "../recordings.ts";
import { tiffOf } from "./contents.ts";
import { jp2Of } from "./jp2.ts";
import { mtlDocument } from "./mtl.ts";

/** A file that an item names. */
export interface NamedFile {
  readonly item: RecordedItem;
  readonly asset: Json;
  /** The address that the item has: `s3://bucket/key` or `https://host/path`. */
  readonly href: string;
}

/** The files behind the addresses of recorded items, made when they are first asked for. */
export interface Shelf {
  /** @param address `s3://bucket/key` or `https://host/path`, without its query. */
  find(address: string): NamedFile | undefined;
  /** Its bytes; `undefined` for what nobody recorded, such as pictures and most documents. */
  read(file: NamedFile): Promise<Uint8Array | undefined>;
}

/** Files kept: some kilobytes each, JPEG 2000 some hundreds. */
const MOST_KEPT = 512;

export function createShelf(items: Iterable<RecordedItem>): Shelf {
  const files = new Map<string, NamedFile>();
  for (const item of items) {
    for (const asset of Object.values(item.assets)) {
      for (const href of addressesOf(asset)) files.set(canonical(href), { item, asset, href });
    }
  }
  const kept = new Map<string, Promise<Uint8Array | undefined>>();
  return {
    find: (address) => files.get(canonical(address)),
    read: (file) => {
      const known = kept.get(file.href);
      if (known !== undefined) return known;
      const made = make(file);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(file.href, made);
      return made;
    },
  };
}

async function make({ item, asset, href }: NamedFile): Promise<Uint8Array | undefined> {
  if (/\.jp2$/i.test(href)) return jp2Of(item, asset);
  if (/_MTL\.json$/.test(href)) return mtlDocument(item);
  return tiffOf(item, { ...asset, href });
}

function addressesOf(asset: Json): string[] {
  const alternates = Object.values((asset.alternate ?? {}) as Record<string, Json>).map(({ href }) => href);
  return [asset.href, ...alternates].filter((href) => typeof href === "string");
}

/** One address of a file in a bucket, whichever way it is written, and of what a front of the bucket gives. */
function canonical(address: string): string {
  const plain = address.replace(/[?#].*$/, "");
  const bucket = /^https:\/\/([a-z0-9.-]+)\.s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com\/(.+)$/.exec(plain);
  if (bucket !== null) return `s3://${bucket[1]}/${bucket[2]}`;
  return plain.replace("https://data.lpdaac.earthdatacloud.nasa.gov/", "s3://");
}
