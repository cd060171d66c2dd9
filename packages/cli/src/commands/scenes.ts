import type { Item } from "@swath/catalog";
import { collectionsOf, searchNames, searchScope } from "@swath/engine";
import type { Engine } from "@swath/engine/node";
import { FILTER_PARAMETERS, type Filter, parseSearch, SEARCH_PARAMETERS } from "@swath/query";
import type { Command } from "commander";
import { type Context, print, withEngine } from "../context.ts";
import type { On } from "../main.ts";
import { addOptions, type Options, readGeometry, whole } from "../options.ts";

interface SearchOptions extends Options {
  readonly filter?: string;
  readonly sort?: string;
  readonly limit?: number;
}

/** Items of one page of a search. */
const MAX_PAGE = 1000;

/** `swath search` and `swath collections [ID]` */
export function addScenes(program: Command, context: Context, on: On): void {
  const search = addOptions(program.command("search"), ["collection", "time", "bbox", "area", "ids", "maxCloud"])
    .description("list scenes, newest first")
    .option("--filter <cql2>", "condition in CQL2 text, such as 'eo:cloud_cover < 10'")
    .option("--sort <fields>", "such as -properties.datetime,+id")
    .option("--limit <count>", "scenes at most; default: 10", whole);
  on(search, async (options) => {
    const features = await withEngine(context, options, (parts) => findItems(parts, options, context.signal));
    print(context, options, {
      json: { type: "FeatureCollection", features },
      columns: ["datetime", "collection", "cloud", "id"],
      rows: features.map(({ id, collection, properties }) => {
        const cloud = properties["eo:cloud_cover"];
        return [properties.datetime, collection, typeof cloud === "number" ? cloud : null, id];
      }),
      notes: [features.length === 0 ? "No scene matches." : undefined],
    });
  });
  const collections = program
    .command("collections")
    .description("list the collections of the catalog, or the bands of one")
    .argument("[id]", "id or alias of a collection");
  on(collections, (options, id) =>
    withEngine(context, options, async ({ registry }) => {
      if (id !== undefined) return printBands(context, options, registry.resolve(id));
      const columns = ["id", "start", "units", "title"] as const;
      const rows = registry.listed.map(({ start, units, ...rest }) => {
        return { ...rest, start: start.slice(0, 10), units: units.join(" ") };
      });
      const json = rows.map(({ id, title, start, units, platforms, bands }) => {
        return { id, title, start, units: units.split(" "), platforms, bands: bands.map(({ name }) => name) };
      });
      print(context, options, { json, columns, rows: rows.map((row) => columns.map((name) => row[name])) });
    }),
  );
}

async function findItems({ catalog, registry }: Engine["parts"], options: SearchOptions, signal: AbortSignal) {
  const names = [...SEARCH_PARAMETERS, ...FILTER_PARAMETERS];
  const { query } = parseSearch(await parametersOf(options), "query", names, searchNames(registry));
  const scope = searchScope(collectionsOf(query, registry, []), registry);
  const filters = [query.filter, scope.filter].filter((filter): filter is Filter => filter !== undefined);
  const [filter] = filters.length > 1 ? [{ op: "and", args: filters } as const] : filters;
  const asked = { ...query, collections: scope.collections, ...(filter === undefined ? {} : { filter }) };
  const items: Item[] = [];
  let token: string | undefined;
  const { limit: wanted = 10 } = options;
  do {
    const limit = Math.min(MAX_PAGE, wanted - items.length);
    const page = await catalog.search({ ...asked, limit, ...(token === undefined ? {} : { token }) }, { signal });
    items.push(...page.items);
    token = page.next;
  } while (token !== undefined && items.length < wanted);
  return items;
}

/** The parameters of a search by GET, as a STAC API takes them. */
async function parametersOf({ collection, bbox, area, ids, time, filter, sort, maxCloud }: SearchOptions) {
  const conditions = [
    ...(maxCloud === undefined ? [] : [`eo:cloud_cover <= ${maxCloud}`]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ];
  const given = {
    collections: collection?.join(),
    bbox: bbox?.join(),
    intersects: area === undefined ? undefined : JSON.stringify(await readGeometry(area)),
    ids: ids?.join(),
    datetime: time,
    filter: conditions.length === 0 ? undefined : conditions.join(" AND "),
    sortby: sort,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function printBands(
  context: Context,
  options: Options,
  collection: ReturnType<Engine["parts"]["registry"]["resolve"]>,
) {
  const { id, title, bands, units, harmonizeLevels, maskCapabilities, attribution, recipes } = collection;
  const presets = Object.keys(recipes);
  print(context, options, {
    json: { id, title, units, harmonizeLevels, maskCapabilities, presets, attribution, bands },
    columns: ["band", "common name", "metres", "unit"],
    rows: bands.map(({ name, commonName, gsd, unit }) => [name, commonName, gsd, unit]),
    notes: [
      `${id}: ${title}. ${attribution}`,
      `units ${units.join(", ")}; harmonization ${harmonizeLevels.join(", ")}`,
      `mask classes ${maskCapabilities.join(", ")}; presets ${presets.join(", ")}`,
    ],
  });
}
