import type { Item, Preset } from "../api/types.ts";

type Order = NonNullable<Preset["mosaickingOrder"]>;

const time = ({ properties }: Item): number => Date.parse(properties.datetime);
const cloud = ({ properties }: Item): number => properties["eo:cloud_cover"] ?? Number.POSITIVE_INFINITY;

/** Equal values, infinite ones too, are left to the next criterion. */
const by = (a: number, b: number): number => (a === b ? 0 : a - b);

const ORDERS: Readonly<Record<Order, (a: Item, b: Item) => number>> = {
  leastCC: (a, b) => by(cloud(a), cloud(b)) || by(time(b), time(a)),
  mostRecent: (a, b) => by(time(b), time(a)),
  leastRecent: (a, b) => by(time(a), time(b)),
};

/** Scenes in the order in which the mosaic of a preset shows them: the first lies on top. */
export function mosaicOrder(items: readonly Item[], preset: Preset): readonly Item[] {
  return [...items].sort(ORDERS[preset.mosaickingOrder ?? "leastCC"]);
}
