import { type Item, pagesOf } from "@swath/catalog";
import type { Engine } from "@swath/engine/node";
import { collectionsOf, scopedQuery, searchNames } from "@swath/engine/search";
import { FILTER_PARAMETERS, itemTime, parseSearch, SEARCH_PARAMETERS } from "@swath/query";
import { attributionFor, type CollectionSchema } from "@swath/schema";
import { type Context, type Found, print, withEngine } from "../context.ts";
import { type Add, type OptionName, type Options, readGeometry } from "../options.ts";

const SEARCH: readonly OptionName[] = [
  "collection",
  "time",
  "bbox",
  "area",
  "ids",
  "maxCloud",
  "filter",
  "sort",
  "limit",
];
/** Items of one page of a search. */
const MAX_PAGE = 1000;

/** `swath search` and `swath collections [ID]` */
export function addScenes(add: Add, context: Context): void {
  add("search", "list scenes, newest first", SEARCH, async (options) => {
    const find = ({ parts }: Engine) => findItems(parts, options, context.signal);
    const { items: features, missing } = await withEngine(context, options, find);
    const cloudOf = ({ "eo:cloud_cover": cloud }: Item["properties"]) => (typeof cloud === "number" ? cloud : null);
    print(context, options, {
      json: { type: "FeatureCollection", features, missing },
      columns: ["datetime", "collection", "cloud", "id"],
      rows: features.map(({ id, collection, properties }) => [
        itemTime(properties),
        collection,
        cloudOf(properties),
        id,
      ]),
      notes: [
        features.length === 0 ? "No scene matches." : undefined,
        missing.length === 0 ? undefined : `Did not answer: ${missing.join(", ")}. Scenes of theirs are not listed.`,
      ],
    });
  });
  const description = "list the collections of the catalog, or the bands of one";
  add("collections [id]", description, [], (options, id?: string) =>
    withEngine(context, options, async ({ parts: { registry } }) => {
      const found = id === undefined ? foundAll(registry.listed) : foundBands(registry.resolve(id));
      print(context, options, found);
    }),
  );
}

async function findItems({ catalog, registry }: Engine["parts"], options: Options, signal: AbortSignal) {
  const names = [...SEARCH_PARAMETERS, ...FILTER_PARAMETERS];
  // faults of the filter are those of its own text, without what is put around it
  if (options.filter !== undefined) parseSearch({ filter: options.filter }, "query", names, searchNames(registry));
  const { query } = parseSearch(await parametersOf(options), "query", names, searchNames(registry));
  const asked = scopedQuery(query, collectionsOf(query, registry, []), registry);
  const { limit: maxItems = 10 } = options;
  const items: Item[] = [];
  const missing = new Set<string>();
  const pages = pagesOf(
    catalog,
    { ...asked, limit: Math.min(MAX_PAGE, maxItems) },
    { signal, maxItems, without: missing },
  );
  for await (const page of pages) items.push(...page.items);
  return { items, missing: [...missing] };
}

/** The parameters of a search by GET, as a STAC API takes them. */
async function parametersOf({ collection, bbox, area, ids, time, filter, sort, maxCloud }: Options) {
  const clear = maxCloud === undefined ? undefined : `eo:cloud_cover <= ${maxCloud}`;
  const own = filter === undefined ? undefined : `(${filter})`;
  const given = {
    collections: collection?.join(),
    bbox: bbox?.join(),
    intersects: area === undefined ? undefined : JSON.stringify(await readGeometry(area)),
    ids: ids?.join(),
    datetime: time,
    filter: [clear, own].filter((each) => each !== undefined).join(" AND ") || undefined,
    sortby: sort,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function foundAll(collections: readonly CollectionSchema[]): Found {
  const json = collections.map(({ id, title, start, units, platforms }) => ({ id, title, start, units, platforms }));
  const rows = json.map(({ id, start, units, title }) => [id, start.slice(0, 10), units.join(" "), title]);
  return { json, columns: ["id", "start", "units", "title"], rows };
}

function foundBands(collection: CollectionSchema): Found {
  const { id, title, bands, units, harmonizeLevels, maskCapabilities, recipes } = collection;
  const attribution = attributionFor(collection, []);
  const presets = Object.keys(recipes);
  return {
    json: { id, title, units, harmonizeLevels, maskCapabilities, presets, attribution, bands },
    columns: ["band", "common name", "metres", "unit"],
    rows: bands.map(({ name, commonName, gsd, unit }) => [name, commonName, gsd, unit]),
    notes: [
      `${id}: ${title}. ${attribution}`,
      `units ${units.join(", ")}; harmonization ${harmonizeLevels.join(", ")}`,
      `mask classes ${maskCapabilities.join(", ")}; presets ${presets.join(", ")}`,
    ],
  };
}
