/** The members of a STAC item that a search reads. */
export interface SearchItem {
  readonly id: string;
  readonly collection?: string | undefined;
  readonly geometry?: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The value of `id`, `collection`, `geometry` or a property; `undefined` where the item has none. */
export function propertyOf(item: SearchItem, name: string): unknown {
  if (name === "id") return item.id;
  if (name === "collection") return item.collection;
  if (name === "geometry") return item.geometry;
  return Object.hasOwn(item.properties, name) ? item.properties[name] : undefined;
}
