import type { Catalog, Item } from "../../src/index.ts";
import { search } from "../catalog-suite.ts";

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

export interface Walked {
  readonly there: string[];
  readonly back: string[];
  readonly pages: number;
  readonly backPages: number;
}

/** Pages forwards, `most` pages at most, then backwards as far as there are links. */
export async function thereAndBack(catalog: Catalog, limits: readonly number[], query = search(), most = 1000) {
  const limit = (i: number): number => limits[i % limits.length] as number;
  let page = await catalog.search({ ...query, limit: limit(0) });
  const there = [ids(page.items)];
  for (let i = 1; page.next !== undefined && i < most; i++) {
    page = await catalog.search({ ...query, limit: limit(i), token: page.next });
    there.push(ids(page.items));
  }
  const back = [there.at(-1) as string[]];
  for (let i = 0; page.prev !== undefined && i < 1000; i++) {
    page = await catalog.search({ ...query, limit: limit(i), token: page.prev });
    back.unshift(ids(page.items));
  }
  return { there: there.flat(), back: back.flat(), pages: there.length, backPages: back.length } satisfies Walked;
}
