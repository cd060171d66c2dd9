import type { Api } from "../api/api.ts";
import type { ShareView } from "./share-view.ts";

/** Units that a map of the view may spend a day, and days that it lives; the account page ends it before. */
export const UNITS_A_DAY = 1000;
export const DAYS = 90;

/** A map that was made here. Its token is in the page's memory alone. */
export interface MadeMap {
  readonly preset: string;
  readonly collection: string;
  readonly token: string;
}

type Shown = Pick<ShareView, "preset" | "collection">;

/** Makes a map of one image alone: whoever has its address sees nothing else for the account's units. */
export async function makeMap(
  api: Api,
  { preset, collection, title }: Shown & Pick<ShareView, "title">,
): Promise<MadeMap> {
  const body = {
    name: `${title}, explorer`.slice(0, 64),
    presets: [preset],
    collections: [collection],
    unitsPerDay: UNITS_A_DAY,
    expiresInDays: DAYS,
  };
  const { token } = (await (await api.post("v1/maps", body)).json()) as { readonly token: string };
  return { preset, collection, token };
}

/** The token of a map that shows what is shown now. */
export const tokenFor = (made: readonly MadeMap[], { preset, collection }: Shown): string | undefined =>
  made.find((map) => map.preset === preset && map.collection === collection)?.token;
