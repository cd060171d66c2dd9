import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Queryables, SearchItem } from "../../src/index.ts";
import type { Queryable, QueryableKind } from "../../src/queryables.ts";

/** Folder of published schemas, with those of CQL2 in `cql2`; tests that need it are skipped without it. */
const schemas = process.env.SWATH_SCHEMAS;
export const cql2 = schemas === undefined ? undefined : join(schemas, "cql2");

function json(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(cql2 ?? "", ...path), "utf8"));
}

/** The examples of the standard, by name; `example36-alt01` is another text of `example36`. */
export function examples(): {
  readonly text: ReadonlyMap<string, string>;
  readonly json: ReadonlyMap<string, unknown>;
} {
  const names = (folder: string): string[] => readdirSync(join(cql2 ?? "", "examples", folder));
  return {
    text: new Map(
      names("text").map((file) => [
        file.replace(".txt", ""),
        readFileSync(join(cql2 ?? "", "examples", "text", file), "utf8"),
      ]),
    ),
    json: new Map(names("json").map((file) => [file.replace(".json", ""), json("examples", "json", file)])),
  };
}

export interface Predicate {
  readonly class: string;
  readonly source: string;
  readonly filter: string;
  readonly expected: number;
  /** The number counted in the data, where the standard's table is known to be wrong. */
  readonly counted?: number;
}

export interface Combination extends Record<"p1" | "p2" | "p3" | "p4", string> {
  readonly class: string;
  readonly source: string;
  readonly expected: number;
}

/** The predicates of the standard's test suite and combinations of them. */
export function predicates(): {
  readonly predicates: readonly Predicate[];
  readonly combination: string;
  readonly combinations: readonly Combination[];
} {
  return json("ats", "predicates.json") as ReturnType<typeof predicates>;
}

interface Source {
  readonly items: readonly SearchItem[];
  readonly queryables: Queryables;
}

const sources = new Map<string, Source>();

/** A data source of the test suite: its features as items, with the names that its queryables document has. */
export function source(name: string): Source {
  const known = sources.get(name);
  if (known !== undefined) return known;
  const { features } = json("ats", "data", `${name}.geojson`) as {
    features: { id?: unknown; geometry: unknown; properties: Record<string, unknown> }[];
  };
  const document = json("ats", "data", `${name}.queryables.json`) as {
    properties: Record<string, Queryable["schema"]>;
  };
  const made: Source = {
    items: features.map(({ id, geometry, properties }, i) => ({
      id: String(id ?? i),
      geometry,
      properties: { ...properties, geom: geometry },
    })),
    queryables: Object.fromEntries(
      Object.entries(document.properties).map(([key, schema]) => [key, { kind: kindOf(schema), schema }]),
    ),
  };
  sources.set(name, made);
  return made;
}

function kindOf({ type, format, $ref }: Readonly<Record<string, unknown>>): QueryableKind {
  if ($ref !== undefined) return "geometry";
  if (type === "boolean") return "boolean";
  if (type !== "string") return "number";
  return format === "date" ? "date" : format === "date-time" ? "instant" : "string";
}
