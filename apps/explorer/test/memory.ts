import type { Memory } from "../src/person.ts";

/** What a tab remembers, for tests outside of a browser. */
export function memory(): Memory & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}
