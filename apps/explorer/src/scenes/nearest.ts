import type { Api } from "../api/api.ts";
import type { Item } from "../api/types.ts";
import type { Bbox } from "../geometry/area.ts";
import type { ViewState } from "../view/view.ts";

const DAY_MS = 86_400_000;

/** The newest scene before the days of a view and the oldest after them, the nearer one. */
export async function nearestScene(
  api: Api,
  state: Pick<ViewState, "collection" | "from" | "to" | "cloud">,
  bbox: Bbox,
  signal: AbortSignal,
): Promise<Item | undefined> {
  const ask = async (datetime: string, direction: "asc" | "desc"): Promise<Item | undefined> => {
    const page = await api.search(
      {
        collections: [state.collection],
        bbox: bbox.map((value) => Number(value.toFixed(4))),
        datetime,
        sortby: [{ field: "properties.datetime", direction }],
        limit: 1,
        ...(state.cloud === 100 ? {} : { query: { "eo:cloud_cover": { lte: state.cloud } } }),
      },
      signal,
    );
    return page.features[0];
  };
  const [before, after] = await Promise.all([
    ask(`../${state.from}T00:00:00Z`, "desc"),
    ask(`${state.to}T23:59:59Z/..`, "asc"),
  ]);
  if (before === undefined || after === undefined) return before ?? after;
  return daysBetween(before, state.from) <= daysBetween(after, state.to) ? before : after;
}

/** Whole days between a scene and a day. */
export function daysBetween({ properties }: Pick<Item, "properties">, day: string): number {
  return Math.round(Math.abs(Date.parse(properties.datetime.slice(0, 10)) - Date.parse(day)) / DAY_MS);
}

/** Days around a scene, as many as are chosen now, so that the mosaic has neighbours. */
export function daysAround(item: Item, { from, to }: Pick<ViewState, "from" | "to">): { from: string; to: string } {
  const span = Math.max(0, Date.parse(to) - Date.parse(from));
  const day = Date.parse(item.properties.datetime.slice(0, 10));
  const isBefore = day < Date.parse(from);
  const text = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return isBefore ? { from: text(day - span), to: text(day) } : { from: text(day), to: text(day + span) };
}
