import type { Api } from "../api/api.ts";
import type { ItemPage } from "../api/types.ts";
import type { Bbox } from "../geometry/area.ts";
import { byDay, type DayScenes } from "./by-day.ts";

/** Scenes of one page of a search: people without a key get no more. */
const PAGE = 100;
/** Pages that are read: a view of more scenes is too large for a list of its days. */
const PAGES = 5;

/** Scenes of a collection in a box, from the first day to the last. */
export interface DaysAsked {
  readonly collection: string;
  readonly from: string;
  readonly to: string;
  readonly bbox: Bbox;
}

export interface DaysFound {
  /** The newest day first. */
  readonly days: ReadonlyMap<string, DayScenes>;
  /** Whether there are more scenes than were read. */
  readonly isCut: boolean;
}

const FIELDS = {
  include: ["id", "properties.datetime", "properties.platform", "properties.eo:cloud_cover"],
  exclude: ["geometry", "assets", "links", "bbox"],
};

/** Searches days that have scenes, with what is shown of them alone. */
export async function searchDays(
  api: Api,
  { collection, from, to, bbox }: DaysAsked,
  signal: AbortSignal,
): Promise<DaysFound> {
  const body = { collections: [collection], bbox, datetime: `${from}/${to}`, limit: PAGE, fields: FIELDS };
  const scenes: ItemPage["features"][number][] = [];
  let token: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { features, links } = await api.search(token === undefined ? body : { ...body, token }, signal);
    scenes.push(...features);
    token = links.find(({ rel }) => rel === "next")?.body?.token;
    if (token === undefined) break;
  }
  return { days: byDay(scenes), isCut: token !== undefined };
}
