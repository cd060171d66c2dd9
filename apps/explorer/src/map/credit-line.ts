import type { Collection, Item } from "../api/types.ts";
import type { ViewState } from "../view/view.ts";
import type { ShownBase } from "./port.ts";

/** An image that is shown beside the first. */
interface Other {
  readonly view: Pick<ViewState, "from" | "to">;
  readonly collection: Collection;
}

const yearsOf = (days: readonly string[]): string => [...new Set(days.map((day) => day.slice(0, 4)))].sort().join("–");

const lineOf = (collection: Collection, years: string): string =>
  (collection["svc:attribution"] ?? "").replaceAll("{years}", years);

/** Facts about a view that its credit depends on, beside its images. */
interface Beside {
  /** Whether the archive is made up: its images have the form of the credited ones. */
  readonly isSynthetic: boolean;
  /** Whether names of places are shown. */
  readonly hasNames: boolean;
  /** The owner's base map; absent: the page's own. */
  readonly base?: ShownBase | undefined;
  /** The image that is compared with the first. */
  readonly other?: Other | undefined;
}

/** Adds to the credit for images of an archive that is made up that they are. */
export function syntheticCredit(line: string, isSynthetic: boolean): string {
  const made = isSynthetic ? "Synthetic images of an invented country in the form of" : "";
  return [made, line].filter((part) => part !== "").join(": ");
}

/** Returns the credit for the images alone: the collection's line with the years of the acquisitions. */
export function imagesCredit(
  state: Pick<ViewState, "scene" | "from" | "to">,
  collection: Collection,
  item: Item | undefined,
  { isSynthetic, other }: Pick<Beside, "isSynthetic" | "other">,
): string {
  const days = state.scene !== undefined && item !== undefined ? [item.properties.datetime] : [state.from, state.to];
  const own = other === undefined ? [] : [other.view.from, other.view.to];
  const isSame = other?.collection.id === collection.id;
  const first = lineOf(collection, yearsOf(isSame ? [...days, ...own] : days));
  const second = other === undefined || isSame ? "" : lineOf(other.collection, yearsOf(own));
  const line = [...new Set([first, second])].filter((part) => part !== "").join(" · ");
  return syntheticCredit(line, isSynthetic);
}

/** Returns the credit for all that the map shows: the images, the land or the owner's base map, and the names of places. */
export function creditLine(state: ViewState, collection: Collection, item: Item | undefined, beside: Beside): string {
  const images = imagesCredit(state, collection, item, beside);
  const { base, hasNames } = beside;
  const places = hasNames && base?.hasLabels !== true ? "Places: GeoNames" : "";
  return [images, base?.credit ?? "Land: Natural Earth", places].filter((part) => part !== "").join(" · ");
}
