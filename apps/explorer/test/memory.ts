import type { Memory } from "../src/api/person.ts";

/** Storage of a tab for tests outside a browser. */
export function memory(): Memory & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}
