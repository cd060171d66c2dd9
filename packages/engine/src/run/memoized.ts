import { LRUCache } from "lru-cache";

/**
 * Remembers the last `max` results of a function, by its arguments as JSON: the few masks and expressions of a service come
 * again with every tile.
 */
export function memoized<A extends readonly unknown[], R extends object>(
  max: number,
  make: (...input: A) => R,
): (...input: A) => R {
  const known = new LRUCache<string, R>({ max });
  return (...input) => {
    const key = JSON.stringify(input);
    let result = known.get(key);
    if (result === undefined) {
      result = make(...input);
      known.set(key, result);
    }
    return result;
  };
}
