import type { Item } from "@swath/catalog";
import { collectionsOf, searchNames, searchScope } from "@swath/engine";
import { FILTER_PARAMETERS, type Filter, parseSearch, SEARCH_PARAMETERS } from "@swath/query";
import type { Command } from "commander";
import type { Context, Run } from "../main.ts";
import type { OpenedEngine } from "../open-engine.ts";
import { addScenes, type CommonOptions, count, readGeometry, type SceneOptions } from "../options.ts";
import { print } from "../print.ts";
import { withEngine } from "../with-engine.ts";

interface SearchOptions extends CommonOptions, SceneOptions {
  readonly bbox?: string;
  readonly area?: string;
  readonly ids?: string;
  readonly filter?: string;
  readonly sort?: string;
  readonly limit: number;
}

/** Items of one page of a search. */
const MAX_PAGE = 1000;

/** `swath search` */
export function addSearch(program: Command, context: Context, run: Run): void {
  addScenes(program.command("search"))
    .description("list scenes, newest first")
    .option("--bbox <w,s,e,n>", "scenes that touch this box, degrees")
    .option("--area <file>", "scenes that touch the geometry of this GeoJSON file")
    .option("--ids <ids>", "ids of items")
    .option("--filter <cql2>", "condition in CQL2 text, such as 'eo:cloud_cover < 10'")
    .option("--sort <fields>", "such as -properties.datetime,+id")
    .option("--limit <count>", "scenes at most", count, 10)
    .action((_: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<SearchOptions>();
        const items = await withEngine(context, options, (parts) => findItems(parts, options, context.signal));
        printItems(context, options, items);
      }),
    );
}

async function findItems(
  { catalog, registry }: OpenedEngine["parts"],
  options: SearchOptions,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const { query } = parseSearch(
    await parametersOf(options),
    "query",
    [...SEARCH_PARAMETERS, ...FILTER_PARAMETERS],
    searchNames(registry),
  );
  const scope = searchScope(collectionsOf(query, registry, []), registry);
  const filters = [query.filter, scope.filter].filter((filter): filter is Filter => filter !== undefined);
  const [filter] = filters.length > 1 ? [{ op: "and", args: filters } as const] : filters;
  const asked = { ...query, collections: scope.collections, ...(filter === undefined ? {} : { filter }) };
  const items: Item[] = [];
  let token: string | undefined;
  do {
    const limit = Math.min(MAX_PAGE, options.limit - items.length);
    const page = await catalog.search({ ...asked, limit, ...(token === undefined ? {} : { token }) }, { signal });
    items.push(...page.items);
    token = page.next;
  } while (token !== undefined && items.length < options.limit);
  return items;
}

/** The parameters of a search by GET, as a STAC API takes them. */
async function parametersOf(options: SearchOptions): Promise<Record<string, string>> {
  const { collection, bbox, area, ids, time, filter, sort, maxCloud } = options;
  const cloud = maxCloud === undefined ? undefined : `eo:cloud_cover <= ${maxCloud}`;
  const conditions = [cloud, filter === undefined ? undefined : `(${filter})`].filter((each) => each !== undefined);
  const given = {
    collections: collection?.join(","),
    bbox,
    intersects: area === undefined ? undefined : JSON.stringify(await readGeometry(area)),
    ids,
    datetime: time,
    filter: conditions.length === 0 ? undefined : conditions.join(" AND "),
    sortby: sort,
  };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function printItems({ terminal }: Context, options: SearchOptions, items: readonly Item[]): void {
  print(terminal, options, {
    json: () => ({ type: "FeatureCollection", features: items }),
    columns: ["datetime", "collection", "cloud", "id"],
    rows: items.map(({ id, collection, properties }) => {
      const cloud = properties["eo:cloud_cover"];
      return [properties.datetime, collection, typeof cloud === "number" ? cloud : null, id];
    }),
    notes: [items.length === 0 ? "No scene matches." : undefined],
  });
}
