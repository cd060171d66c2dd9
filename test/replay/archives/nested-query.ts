import type { Json } from "../recordings.ts";

/** A query in which brackets stand for nesting, as the `qs` package writes it: `collections[0]=a&query[x][lte]=5`. */
export function nestedQuery(members: Json): string {
  const pairs = (value: unknown, name: string): string[] => {
    if (typeof value !== "object" || value === null)
      return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
    return Object.entries(value).flatMap(([key, inner]) => pairs(inner, `${name}[${key}]`));
  };
  return Object.entries(members)
    .flatMap(([name, value]) => pairs(value, name))
    .join("&");
}

/** Reads such a query, and plain lists such as `collections=a,b`. */
export function nestedMembers(search: string): Json {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const [first = "", ...rest] = name.split(/[[\]]+/).filter((part) => part !== "");
    const path = [first, ...rest];
    let at = root;
    for (const key of path.slice(0, -1)) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    at[path.at(-1) as string] = value;
  }
  return Object.fromEntries(
    Object.entries(root).map(([name, value]) => [
      name,
      listed(name, name === "intersects" ? numbersIn(toLists(value)) : toLists(value)),
    ]),
  );
}

const LISTS = new Set(["collections", "ids", "bbox"]);

function listed(name: string, value: unknown): unknown {
  return LISTS.has(name) && typeof value === "string" ? value.split(",") : value;
}

/** Objects whose keys are 0, 1, 2 … as lists. */
function toLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, toLists(inner)] as const);
  return entries.every(([key], i) => key === String(i))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}

/** Coordinates are numbers again. */
function numbersIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersIn);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numbersIn(inner)]));
  }
  return typeof value === "string" && /^-?[\d.]+(e-?\d+)?$/i.test(value) ? Number(value) : value;
}
