import { below, faultAt, type InputLocation, isObject, shown } from "../input-location.ts";

/**
 * The members of an item that an answer shows, as paths such as `properties.eo:cloud_cover`. `include` absent: all;
 * empty: `DEFAULT_FIELDS`; else those named. `exclude` is taken away from that, see `applyFields`.
 */
export interface Fields {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The members that an empty `include` stands for, so that an item stays valid (STAC fields extension). */
export const DEFAULT_FIELDS: readonly string[] = [
  "type",
  "stac_version",
  "id",
  "collection",
  "geometry",
  "bbox",
  "links",
  "assets",
  "properties.datetime",
];

/** Members that every item shows, whatever is excluded. */
const ALWAYS = ["type", "stac_version", "id", "collection"];
const MAX_PATHS = 500;
const MAX_PATH_LENGTH = 200;

/**
 * Reads the `fields` parameter: text such as `id,properties.datetime,-geometry` in a query (`+` may lead and may
 * arrive as a space), `{include, exclude}` in a body. Text always starts from an `include`, an empty one if it names
 * nothing to include; in a body a lone `exclude` is taken away from the whole item, and `{}` means `DEFAULT_FIELDS`.
 * There null and an empty list are the same.
 *
 * @throws {QueryError} for what is not of this form, paths over 200 characters, more than 500 paths.
 */
export function parseFields(input: unknown, place: InputLocation = { in: "query", pointer: "fields" }): Fields {
  return place.in === "query" ? fieldsOfText(input, place) : fieldsOfObject(input, place);
}

/**
 * The item with the members that `fields` lets through; `type`, `stac_version`, `id` and `collection` always. The most
 * specific path decides on a member, and `include` does where both name the same (STAC fields extension, rules 4 and
 * 5.1): `properties` excluded and `properties.datetime` included leaves the datetime alone. What is shown only because
 * it is among `DEFAULT_FIELDS` gives way to any `exclude`. A path that the item does not have is no error; a property
 * may be named without `properties.`, and keys may have dots (`assets.mtl.json`). The item itself stays as it is.
 */
export function applyFields(item: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const { include, exclude = [] } = fields;
  const root = new Node();
  const isDefault = include?.length === 0;
  for (const path of isDefault ? DEFAULT_FIELDS : (include ?? [])) root.mark(resolveIn(item, path), true);
  for (const path of exclude) root.mark(resolveIn(item, path), false, isDefault);
  for (const name of ALWAYS) root.mark(resolveIn(item, name), true);
  return (pick(item, root, include === undefined) ?? {}) as Record<string, unknown>;
}

/** The marks on a member and on those inside it. */
class Node {
  /** Whether a path that ends here includes or excludes it. */
  shows: boolean | undefined;
  readonly inner = new Map<string, Node>();

  /**
   * Marks the member at `keys`. Where a member has two marks, that of an include counts, unless `wins`: then everything
   * below is forgotten too.
   */
  mark(keys: readonly string[] | undefined, shows: boolean, wins = false): void {
    if (keys === undefined) return;
    let node: Node = this;
    for (const key of keys) {
      const next = node.inner.get(key) ?? new Node();
      node.inner.set(key, next);
      node = next;
    }
    node.shows = wins ? shows : shows || node.shows === true;
    if (wins) node.inner.clear();
  }
}

/**
 * The part of a value that is shown; `undefined`: none of it. `shows` is the mark of the nearest marked member around
 * it.
 */
function pick(value: unknown, node: Node, shows: boolean): unknown {
  const isShown = node.shows ?? shows;
  if (node.inner.size === 0 || !isObject(value)) return isShown ? value : undefined;
  const part: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const inner = node.inner.get(key);
    const shown = inner === undefined ? (isShown ? member : undefined) : pick(member, inner, isShown);
    if (shown !== undefined) define(part, key, shown);
  }
  return isShown || Object.keys(part).length > 0 ? part : undefined;
}

function fieldsOfText(input: unknown, place: InputLocation): Fields {
  if (typeof input !== "string") throw faultAt(place, `Expected paths divided by commas, got ${shown(input)}.`);
  const parts = input === "" ? [] : input.split(",", MAX_PATHS + 1);
  if (parts.length > MAX_PATHS) throw faultAt(place, `Expected at most ${MAX_PATHS} paths.`);
  const [include, exclude]: [string[], string[]] = [[], []];
  for (const part of parts) {
    const path = pathOf(part.replace(/^[-+ ]/, "").trim(), place);
    (part.startsWith("-") ? exclude : include).push(path);
  }
  return exclude.length === 0 ? { include } : { include, exclude };
}

function fieldsOfObject(input: unknown, place: InputLocation): Fields {
  if (!isObject(input)) throw faultAt(place, `Expected {include, exclude}, got ${shown(input)}.`);
  const unknown = Object.keys(input).find((key) => key !== "include" && key !== "exclude");
  if (unknown !== undefined) throw faultAt(below(place, unknown), `Unknown member "${unknown}".`);
  const include = pathsOf(input.include, below(place, "include"));
  const exclude = pathsOf(input.exclude, below(place, "exclude"));
  if (exclude === undefined) return { include: include ?? [] };
  return include === undefined ? { exclude } : { include, exclude };
}

/** The paths of a list; `undefined` where there are none: null and an empty list say the same (rule 6). */
function pathsOf(input: unknown, place: InputLocation): string[] | undefined {
  if (input === undefined || input === null) return undefined;
  if (!Array.isArray(input)) throw faultAt(place, `Expected an array of paths, got ${shown(input)}.`);
  if (input.length > MAX_PATHS) throw faultAt(place, `Expected at most ${MAX_PATHS} paths.`);
  return input.length === 0 ? undefined : input.map((path, i) => pathOf(path, below(place, i)));
}

function pathOf(path: unknown, place: InputLocation): string {
  if (typeof path !== "string" || path === "" || path.length > MAX_PATH_LENGTH) {
    throw faultAt(place, `Expected a path of 1 to ${MAX_PATH_LENGTH} characters, got ${shown(path)}.`);
  }
  return path;
}

/** The keys that a path means in this item, as it stands or below `properties`. */
function resolveIn(item: Readonly<Record<string, unknown>>, path: string): string[] | undefined {
  const inside = item.properties;
  const keys = keysOf(item, path, new Map());
  if (keys !== undefined || !isObject(inside)) return keys;
  const inner = keysOf(inside, path, new Map());
  return inner === undefined ? undefined : ["properties", ...inner];
}

/**
 * The keys that a path means in an object; keys may have dots themselves, and the longest key that leads on wins.
 * `dead` holds the lengths of paths known to lead nowhere from an object, so that no pair is tried twice.
 */
function keysOf(
  object: Readonly<Record<string, unknown>>,
  path: string,
  dead: Map<unknown, Set<number>>,
): string[] | undefined {
  if (Object.hasOwn(object, path)) return [path];
  const lengths = dead.get(object) ?? new Set();
  if (lengths.has(path.length)) return undefined;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const key = path.slice(0, dot);
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    const rest = isObject(value) ? keysOf(value, path.slice(dot + 1), dead) : undefined;
    if (rest !== undefined) return [key, ...rest];
  }
  dead.set(object, lengths.add(path.length));
  return undefined;
}

/** Sets an own member, `__proto__` too. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
