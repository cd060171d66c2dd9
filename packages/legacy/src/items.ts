import { Remembered } from "@swath/http";
import { createStacClient, type PartialItem, type SearchBody, type StacClient, StacClientError } from "@swath/stac";
import { LegacyError, tilesForm } from "./errors.ts";
import type { LegacyUpstream } from "./upstream.ts";

/** An upstream item as the tiles host uses it: its own asset names, files as they are read here. */
export interface LegacyItem {
  readonly id: string;
  readonly collection: string;
  /** West, south, east, north; west > east across the antimeridian. */
  readonly bbox?: readonly [number, number, number, number];
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Addresses of raster files by upstream asset name. */
  readonly files: ReadonlyMap<string, string>;
}

export interface LegacyItems {
  /** @throws {LegacyError} 404 for an unknown item or collection, 502, 504. */
  item(collection: string, id: string): Promise<LegacyItem>;
  /** Those of `ids` that exist, in the order of `ids`. @throws {LegacyError} 502, 504. */
  named(collection: string, ids: readonly string[]): Promise<readonly LegacyItem[]>;
  /** One page of a search. @throws {LegacyError} 502, 504. */
  search(body: SearchBody): Promise<readonly LegacyItem[]>;
  /** @throws where the upstream does not answer. */
  ping(signal: AbortSignal): Promise<void>;
}

/** Items kept, some 20 kB each, and for how long. */
const KEPT = 1000;
const KEPT_MS = 300_000;
/** Ids as catalogs have them; a dot or two alone would be a step in a path. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9_.:@+-]{1,256}$/;
const RASTER = /^image\/(tiff|vnd\.stac\.geotiff)/;

/** Items of the upstream, kept for a while: the tiles of a map need the same items. */
export function createLegacyItems(upstream: LegacyUpstream): LegacyItems {
  const client: StacClient = createStacClient({ url: upstream.root, fetch: upstream.fetch });
  const keyOf = (collection: string, id: string): string => `${collection}/${id}`;
  const kept = new Remembered<LegacyItem | undefined>({
    max: KEPT,
    ttlMs: (item) => (item === undefined ? 0 : KEPT_MS),
  });
  // one load is shared by all callers; it has its own time limit, so that no caller ends it for the others
  const load = (collection: string, id: string): Promise<LegacyItem | undefined> =>
    kept.of(keyOf(collection, id), async () => {
      const found = await withLegacyError(client.item(collection, id));
      return found === undefined ? undefined : toLegacyItem(found, upstream);
    });
  const search = async (body: SearchBody): Promise<readonly LegacyItem[]> => {
    const page = await withLegacyError(client.search(body));
    const items = page.items.map((item) => toLegacyItem(item, upstream));
    for (const item of items) kept.set(keyOf(item.collection, item.id), item);
    return items;
  };
  return {
    async item(collection, id) {
      const found = !(ID.test(collection) && ID.test(id)) ? undefined : await load(collection, id);
      if (found !== undefined) return found;
      throw LegacyError.detail(404, `Could not find Item ${id} in ${collection} collection.`);
    },
    async named(collection, asked) {
      const ids = ID.test(collection) ? asked.filter((id) => ID.test(id)) : [];
      const missing = ids.filter((id) => kept.get(keyOf(collection, id)) === undefined);
      const found = new Map<string, LegacyItem>();
      if (missing.length === 1 && missing[0] !== undefined) {
        const item = await load(collection, missing[0]);
        if (item !== undefined) found.set(item.id, item);
      } else if (missing.length > 1) {
        const items = await search({ collections: [collection], ids: missing, limit: missing.length });
        for (const item of items) found.set(item.id, item);
      }
      return ids.flatMap((id) => found.get(id) ?? kept.get(keyOf(collection, id)) ?? []);
    },
    search,
    ping: async (signal) => {
      await client.landing({ signal });
    },
  };
}

async function withLegacyError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof StacClientError)) throw cause;
    const status = cause.code === "timeout" ? 504 : 502;
    // the upstream's own words are for the log: they may name addresses
    const detail = `The upstream catalog did not answer${status === 504 ? " in time" : ""}.`;
    throw new LegacyError(status, tilesForm(status, detail), { cause });
  }
}

function toLegacyItem(item: PartialItem, upstream: LegacyUpstream): LegacyItem {
  const { id, collection, bbox, geometry, properties = {}, assets = {} } = item;
  const corners = bbox === undefined ? undefined : { 4: [0, 1, 2, 3], 6: [0, 1, 3, 4] }[bbox.length];
  const box = corners?.map((i) => bbox?.[i] ?? Number.NaN);
  const files = Object.entries(assets).flatMap(([name, asset]): [string, string][] => {
    const href = fileOf(asset, upstream);
    return href === undefined ? [] : [[name, href]];
  });
  return {
    id,
    collection: collection ?? "",
    ...(box === undefined ? {} : { bbox: box as [number, number, number, number] }),
    geometry,
    properties,
    files: new Map(files),
  };
}

/** Returns the address that a raster asset is read from; undefined for everything else. */
function fileOf(asset: unknown, { root, directory }: LegacyUpstream): string | undefined {
  const { href, type, alternate } = asset as {
    href?: unknown;
    type?: unknown;
    alternate?: { s3?: { href?: unknown } };
  };
  if (typeof href !== "string") return undefined;
  if (typeof type === "string" ? !RASTER.test(type) : !/\.tiff?$/i.test(href)) return undefined;
  // where there is a choice the bucket is read, as everywhere in the service
  const s3 = alternate?.s3?.href;
  if (typeof s3 === "string") return s3;
  return directory !== undefined && href.startsWith(`${root}/`) ? `archive:${href.slice(root.length + 1)}` : href;
}
