import { didYouMean } from "@swath/engine/search";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { DoctorReport } from "./report.ts";
import type { SettingNames } from "./words.ts";

/** The collections of a program. */
export interface KnownCollections {
  /** Those whose upstream it has. */
  readonly registry: CollectionRegistry;
  /** Those, and the ones whose upstream it does not have. */
  readonly known: CollectionRegistry;
}

/** The request of a command line. */
export interface Asked {
  /** Whether an upstream is examined even without collections. */
  isAsked(upstream: string): boolean;
  /** The collections of an upstream that are examined. */
  collectionsOf(upstream: string): readonly CollectionSchema[];
  readonly absent: DoctorReport["absent"];
}

/** A name that nothing has; `message` is one line. */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";
}

/**
 * Resolves the names of a command line: upstreams, collections or aliases of them, of a virtual collection its members.
 * None: everything.
 *
 * @param upstreams names of the upstreams of the program.
 * @throws {UnknownNameError}
 */
export function askedFor(
  names: readonly string[],
  { registry, known }: KnownCollections,
  upstreams: readonly string[],
  settings: SettingNames,
): Asked {
  const at = (upstream: string): readonly CollectionSchema[] =>
    registry.collections.filter((collection) => collection.upstream.name === upstream);
  if (names.length === 0) return { isAsked: () => true, collectionsOf: at, absent: [] };
  const whole = new Set(names.filter((name) => upstreams.includes(name)));
  const others = names.filter((name) => !whole.has(name));
  const live = others.map((name) => [name, registry.find(name)?.collection] as const);
  const absent = live.flatMap(([name, collection]) =>
    collection === undefined ? [absence(name, known, [...upstreams, ...known.names], settings)] : [],
  );
  const wanted = new Set(
    live.flatMap(([, collection]) =>
      (collection?.virtual?.members ?? (collection && [collection]) ?? []).map(({ id }) => id),
    ),
  );
  const collectionsOf = (upstream: string): readonly CollectionSchema[] =>
    whole.has(upstream) ? at(upstream) : at(upstream).filter(({ id }) => wanted.has(id));
  return { isAsked: (upstream) => whole.has(upstream) || collectionsOf(upstream).length > 0, collectionsOf, absent };
}

function absence(
  name: string,
  known: CollectionRegistry,
  names: readonly string[],
  settings: SettingNames,
): DoctorReport["absent"][number] {
  const found = known.find(name)?.collection;
  if (found === undefined) {
    throw new UnknownNameError(`Neither an upstream nor a collection is called "${name}".${didYouMean(name, names)}`);
  }
  const members = found.virtual?.members ?? [found];
  const upstreams = members
    .flatMap(({ upstream }) => [upstream, ...(upstream.alternatives ?? [])])
    .map((each) => each.name);
  const wanted = [...new Set(upstreams)];
  const detail = `${found.id} has no upstream here: it comes from ${wanted.join(" or ")}.`;
  const first = wanted.find((each) => each !== "default") ?? "default";
  return { name: found.id, detail, advice: `Name the address of that upstream: ${settings.newAddress(first)}.` };
}
