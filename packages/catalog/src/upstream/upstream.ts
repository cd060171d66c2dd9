import type { ItemQuery } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { FallbackFile } from "@swath/schema/files";
import { upstreamCollections } from "@swath/schema/upstreams";
import { StacClientError } from "@swath/stac";
import type { CatalogOptions, Extent, MergeableCatalog, Place, PlacedPage } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import type { Item } from "../item/item.ts";
import { orderedPlace } from "../order/ordered-gap.ts";
import { toPlacedPage } from "../order/ordered-page.ts";
import { readOrdered } from "../order/ordered-read.ts";
import { pageEnd } from "../order/page-end.ts";
import { NOTHING, searchByToken } from "../order/placed-page.ts";
import { toServiceItem } from "../service-item/service-item.ts";
import {
  type UpstreamClient,
  type UpstreamOptions,
  upstreamClient,
  upstreamKind,
} from "./abilities/upstream-client.ts";
import { type Abilities, abilityReader } from "./abilities/upstream-conformance.ts";
import { toUpstreamExtent } from "./abilities/upstream-extent.ts";
import { Presence } from "./abilities/upstream-presence.ts";
import type { UpstreamMemory } from "./plan/upstream-search.ts";
import { DisorderError } from "./read/upstream-reader.ts";
import { upstreamCounts } from "./upstream-counts.ts";
import { countFillings, MAX_FILLING_ITEMS } from "./upstream-fillings.ts";
import { planSources, type SourceContext } from "./upstream-sources.ts";
import { withoutTwins } from "./upstream-twins.ts";

const EXTENT_TTL_MS = 600_000;
/** Areas that an upstream failed on, whose boxes it is asked for at once. */
const MAX_REFUSED = 200;

/** An upstream, and what is known of it. */
interface Upstream {
  readonly client: UpstreamClient;
  readonly own: CollectionRegistry;
  readonly toItem: (document: unknown) => Item | undefined;
  readonly abilities: () => Promise<Abilities>;
  readonly presence: Presence;
  readonly memory: UpstreamMemory;
  /** Areas that it has failed on, as text. */
  readonly refused: Set<string>;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * A catalogue in front of an upstream STAC API. It asks the upstream for the things that its kind is known to do:
 * conditions, orders, areas; it does the rest itself, exactly. Items come whole: the upstream is never sent `fields`.
 */
export function createUpstreamCatalog(options: UpstreamOptions): MergeableCatalog {
  const client = upstreamClient(options);
  const { registry = defaultRegistry, name = "default", now = Date.now } = options;
  const own = registry.withUpstreams([name], [name]);
  const kind = upstreamKind(options);
  const upstream: Upstream = {
    client,
    own,
    toItem: rememberedItems((document) => toServiceItem(document, own, name)),
    abilities: abilityReader(kind, client, now),
    presence: new Presence(client, now),
    memory: {
      isMadeOfValues: undefined,
      untrusted: new Set(),
      countsByInterval: false,
      refusesUnknown: false,
      faultyUntil: Number.NEGATIVE_INFINITY,
      skips: new Map(),
    },
    refused: new Set(),
    now,
  };
  const extents = new Map<string, { readonly until: number; readonly extent: Extent | undefined }>();
  const schemaOf = (collection: string): CollectionSchema | undefined => own.find(collection)?.collection;
  const searchAt: MergeableCatalog["searchAt"] = (query, place, options = {}) =>
    withoutUnknown(upstream, query, options.signal, () => searchPage(upstream, query, place, options));
  const search = searchByToken("upstream", searchAt);
  return {
    search,
    searchAt,
    count: (query, request, options = {}) =>
      withoutUnknown(upstream, query, options.signal, async () => {
        const [abilities, names] = await Promise.all([
          upstream.abilities(),
          collectionNames(upstream, query, options.signal),
        ]);
        const isRefused = upstream.refused.has(areaText(query));
        const context = { ...upstream, abilities, names, isRefused, search };
        return upstreamCounts(query, request, context, options);
      }),
    item: async (collection, id, { signal } = {}) => {
      const schema = schemaOf(collection);
      if (schema === undefined) return undefined;
      const { upstream: at } = schema;
      const wanted = [...upstreamCollections(at), ...(at.fallbacks ?? []).map((each) => each.collection)];
      for (const upstreamCollection of await upstream.presence.names(schema, wanted, signal)) {
        const item = upstream.toItem(await client.item(upstreamCollection, id, signal));
        if (item !== undefined) return item.collection === schema.id ? item : undefined;
      }
      return undefined;
    },
    extent: async (collection, { signal }: CatalogOptions = {}) => {
      const known = extents.get(collection);
      if (known !== undefined && known.until > now()) return known.extent;
      const schema = schemaOf(collection);
      if (schema === undefined) return undefined;
      const document = await upstream.presence.document(schema, signal);
      const extent = document && toUpstreamExtent(document, schema);
      extents.set(collection, { until: now() + EXTENT_TTL_MS, extent });
      return extent;
    },
    has: async (collection, { signal } = {}) => {
      const schema = schemaOf(collection);
      return schema !== undefined && upstream.presence.has(schema, signal);
    },
    ping: ({ signal } = {}) => client.ping(signal),
  };
}

/** Converts each document once: a part of a search may be read by several of its sources. */
function rememberedItems(convert: (document: unknown) => Item | undefined): Upstream["toItem"] {
  const known = new WeakMap<object, { readonly item: Item | undefined }>();
  return (document) => {
    if (typeof document !== "object" || document === null) return undefined;
    const found = known.get(document) ?? { item: convert(document) };
    known.set(document, found);
    return found.item;
  };
}

type Signal = AbortSignal | undefined;

/**
 * Does work, and does it again without the collections that the upstream lacks where it answers 404 because of them.
 *
 * @throws {CatalogError} `rejected`, with the collections that it has, where it lacks all of those that are asked for.
 */
async function withoutUnknown<T>(
  upstream: Upstream,
  query: ItemQuery,
  signal: Signal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    const { cause } = error instanceof CatalogError ? error : { cause: undefined };
    if (!(cause instanceof StacClientError && cause.code === "not-found")) throw error;
    // an address that answers 404 to everything is no API, or is out of order: it lacks no collection
    if ((await upstream.presence.ids(signal)).length === 0) throw error;
    const names = [...(await collectionNames(upstream, query, signal)).values()].flat();
    if (!(await upstream.presence.lacksAny(names, signal))) throw error;
    upstream.memory.refusesUnknown = true;
    return work();
  }
}

/** Ids that a message lists at most. */
const MAX_LISTED = 20;

/** @throws {CatalogError} `rejected` where an upstream that refuses collections which it lacks has none of these. */
async function checkPresence(
  upstream: Upstream,
  names: ReadonlyMap<string, readonly string[]>,
  signal: Signal,
): Promise<void> {
  if (!upstream.memory.refusesUnknown || names.size === 0 || [...names.values()].some((own) => own.length > 0)) return;
  const ids = await upstream.presence.ids(signal);
  const more = ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : "";
  const has = ids.length === 0 ? "" : `, and has ${ids.slice(0, MAX_LISTED).join(", ")}${more}`;
  throw new CatalogError("rejected", `The upstream lacks ${[...names.keys()].join(", ")}${has}.`);
}

async function searchPage(
  upstream: Upstream,
  query: ItemQuery,
  place: Place | undefined,
  { signal, maxItems, onRead }: CatalogOptions,
): Promise<PlacedPage> {
  const started = upstream.now();
  const area = areaText(query);
  const sent = { area: false };
  const attempt = (byBoxes: boolean): Promise<PlacedPage> =>
    page(upstream, query, place, { byBoxes, sent, started, signal, maxItems, onRead });
  try {
    return await attempt(upstream.refused.has(area));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DisorderError) {
      upstream.memory.untrusted.add(error.field);
      if (place === undefined) return attempt(upstream.refused.has(area));
      // earlier pages may have had another order
      throw new CatalogError("unavailable", `${error.message} Begin the search again.`, { cause: error });
    }
    if (!sent.area || !isAreaFault(error)) throw error;
    const found = await attempt(true);
    if (upstream.refused.size >= MAX_REFUSED) upstream.refused.clear();
    upstream.refused.add(area);
    return found;
  }
}

function areaText({ bbox, intersects }: ItemQuery): string {
  return JSON.stringify([bbox, intersects]);
}

/** Answers to an area that an upstream may not give to its box: it took too long, or the area was too much for it. */
const AREA_STATUSES: ReadonlySet<number> = new Set([413, 414, 500, 504]);

/** Whether an upstream that fails so may do better with a plain box. */
function isAreaFault(error: unknown): boolean {
  if (!(error instanceof CatalogError)) return false;
  if (error.code === "rejected" || error.code === "timeout") return true;
  const { cause } = error;
  if (error.code !== "unavailable" || !(cause instanceof StacClientError)) return false;
  return cause.code === "bad-answer" || cause.code === "too-large" || AREA_STATUSES.has(cause.status ?? 0);
}

interface PageOptions {
  readonly byBoxes: boolean;
  /** Told whether an area was asked for by another form than a box. */
  readonly sent?: { area: boolean };
  /** Milliseconds at which the search began. */
  readonly started: number;
  readonly signal: Signal;
  /** Most items that are read; absent: as many as a page may cost. */
  readonly maxItems?: number | undefined;
  readonly onRead?: CatalogOptions["onRead"];
  /** The collection that fills gaps before which the search ends; absent: all are searched. */
  readonly before?: FallbackFile;
}

async function page(
  upstream: Upstream,
  query: ItemQuery,
  place: Place | undefined,
  { byBoxes, sent, started, signal, maxItems, onRead, before }: PageOptions,
): Promise<PlacedPage> {
  const { own, now, client, memory, toItem } = upstream;
  const [abilities, names] = await Promise.all([upstream.abilities(), collectionNames(upstream, query, signal)]);
  signal?.throwIfAborted();
  await checkPresence(upstream, names, signal);
  const context: SourceContext = {
    client,
    abilities,
    memory,
    own,
    toItem,
    signal,
    byBoxes,
    // an area is tried by its box before a page is looked into
    looksIntoFaults: byBoxes || place !== undefined || !hasIntersects(query),
    now,
    // waiting for the landing page of an upstream that does not answer is a part of the time that a search has
    spentMs: now() - started,
    namesOf: (_, wanted) => wanted.flatMap((each) => names.get(each) ?? []),
    fallbacksOf: ({ upstream: { fallbacks = [] } }) => {
      const at = before === undefined ? -1 : fallbacks.indexOf(before);
      return at < 0 ? fallbacks : fallbacks.slice(0, at);
    },
    withoutTwins: withoutTwins((asked, at, fallback) =>
      page(upstream, asked, at, { byBoxes, started: now(), signal, before: fallback }),
    ),
  };
  const { order, sources, isCounted, fillings, isFiltered, hasArea } = planSources(query, context);
  if (sent !== undefined) sent.area = hasArea;
  if (sources.length === 0) return NOTHING;
  const at = place === undefined ? undefined : orderedPlace(place, order.length);
  const mustEnd = pageEnd(now, isFiltered, maxItems);
  const isAlone = isCounted && fillings.length === 0;
  const read = await readOrdered({ sources, order, place: at, limit: query.limit, mustEnd, isCounted: isAlone });
  onRead?.(read.passed);
  const isFirst = place === undefined && before === undefined;
  const { more, total, matched } = read;
  // a page that ends the search counts it
  if (isAlone || !isCounted || !isFirst || !more || total === null || matched === undefined) {
    return toPlacedPage(read, at);
  }
  const left = Math.min(MAX_FILLING_ITEMS, (maxItems ?? Number.POSITIVE_INFINITY) - read.passed);
  const filled = await countFillings(fillings, client, left, signal);
  return toPlacedPage(filled === undefined ? read : { ...read, total: matched + filled }, at);
}

/** Whether an area is more than a box; a box across 180 degrees is sent as polygons. */
function hasIntersects({ bbox, intersects }: ItemQuery): boolean {
  return intersects !== undefined || (bbox !== undefined && bbox[0] > bbox[2]);
}

/** The names by which the upstream has the collections of a search, by the names of their files. */
async function collectionNames(
  { own, presence }: Upstream,
  { collections }: ItemQuery,
  signal: Signal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = collections.length === 0 ? own.ids : collections;
  const schemas = asked.flatMap((id) => own.find(id)?.collection ?? []);
  const named = await Promise.all(
    schemas.flatMap((schema) => {
      const { upstream } = schema;
      const wanted = [...upstreamCollections(upstream), ...(upstream.fallbacks ?? []).map((each) => each.collection)];
      return wanted.map(async (each) => [each, await presence.names(schema, [each], signal)] as const);
    }),
  );
  return new Map(named);
}
