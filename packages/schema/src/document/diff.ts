/** The consequence of a change for users of the schema. */
export type ChangeLevel = "breaking" | "addition" | "note";

/** One difference between two versions. */
export interface Change {
  readonly level: ChangeLevel;
  readonly kind: "removed" | "added" | "changed";
  /** Where, by names: `bands/sentinel-2-l2a/B04/scale`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The differences of two schema documents and the version change that they require. */
export interface SchemaDiff {
  readonly from: string;
  readonly to: string;
  /** Breaking changes first, each group in order of path. */
  readonly changes: readonly Change[];
  /** The least part of the version that must rise. */
  readonly needs: "major" | "minor" | "patch" | "none";
  /** Whether the version of the second document rises enough. */
  readonly versionFits: boolean;
}

/**
 * Compares two schema documents (parsed JSON).
 *
 * Breaking is whatever turns a request that worked into an error, or the same request into other values: a name that is
 * gone or leads elsewhere, a changed scale, offset, rule, nodata, type, unit, class, formula or default. A new name is an
 * addition; changed text is a note.
 */
export function diffSchemas(before: unknown, after: unknown): SchemaDiff {
  const old = flatten(before);
  const now = flatten(after);
  const changes: Change[] = [];
  for (const [path, value] of old) {
    if (path === VERSION || parentMissing(path, now)) continue;
    if (!now.has(path))
      changes.push({ level: levelOf(path, "removed"), kind: "removed", path, ...valued("before", value) });
    else if (now.get(path) !== value) {
      changes.push({ level: levelOf(path, "changed"), kind: "changed", path, before: value, after: now.get(path) });
    }
  }
  for (const [path, value] of now) {
    if (path === VERSION || old.has(path) || parentMissing(path, old)) continue;
    changes.push({ level: levelOf(path, "added"), kind: "added", path, ...valued("after", value) });
  }
  const order: readonly ChangeLevel[] = ["breaking", "addition", "note"];
  changes.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level) || (a.path < b.path ? -1 : 1));
  const from = String(old.get(VERSION) ?? "");
  const to = String(now.get(VERSION) ?? "");
  const needs = neededRise(changes);
  return { from, to, changes, needs, versionFits: RISES.indexOf(riseOf(from, to)) >= RISES.indexOf(needs) };
}

const VERSION = "svc:schemaVersion";

/** A container stands in the table with this value, so that its coming and going is one change. */
const CONTAINER = Symbol("container");

type Flat = ReadonlyMap<string, unknown>;

/** Members whose array is a set of words: the order has no meaning, each entry is a name. */
const SETS = /\/(aliases|units|harmonize_levels|pseudo_bands|mask_capabilities)$/;

function flatten(document: unknown): Flat {
  const flat = new Map<string, unknown>();
  walk(document, "", flat);
  return flat;
}

function walk(value: unknown, path: string, flat: Map<string, unknown>): void {
  if (typeof value !== "object" || value === null) {
    flat.set(path, value);
    return;
  }
  if (path !== "") flat.set(path, CONTAINER);
  const inside = path === "" ? "" : `${path}/`;
  if (!Array.isArray(value)) {
    for (const [key, each] of Object.entries(value)) walk(each, `${inside}${key.replaceAll("/", "~1")}`, flat);
    return;
  }
  value.forEach((each: unknown, position) => {
    if (typeof each === "string" && SETS.test(path)) flat.set(`${inside}${each.replaceAll("/", "~1")}`, true);
    else walk(each, `${inside}${nameOf(each)?.replaceAll("/", "~1") ?? position}`, flat);
  });
}

/** Returns the name that identifies an array element, so that a move is no change. */
function nameOf(element: unknown): string | undefined {
  if (typeof element !== "object" || element === null) return undefined;
  const { name, id, collection, level, bit, bits } = element as Record<string, unknown>;
  if (typeof collection === "string" && typeof level === "string") return `${collection} ${level}`;
  if (Array.isArray(bits)) return `bits ${bits.join("-")}`;
  if (typeof bit === "number") return `bit ${bit}`;
  const named = name ?? id;
  return typeof named === "string" ? named : undefined;
}

function parentMissing(path: string, flat: Flat): boolean {
  const end = path.lastIndexOf("/");
  return end !== -1 && !flat.has(path.slice(0, end));
}

function valued(key: "before" | "after", value: unknown): Partial<Change> {
  return value === CONTAINER || value === true ? {} : { [key]: value };
}

interface Judgement {
  readonly path: RegExp;
  readonly removed: ChangeLevel;
  readonly added: ChangeLevel;
  readonly changed: ChangeLevel;
}

/** First match counts. */
const JUDGEMENTS: readonly Judgement[] = [
  {
    path: /\/(title|description|notes|source|meaning|range|symbol)(\/|$)|^collections\/[^/]+\/sources(\/|$)/,
    removed: "note",
    added: "note",
    changed: "note",
  },
  { path: /^harmonization\/rules\/.*\/rule$/, removed: "note", added: "note", changed: "note" },
  {
    path: /\/(center_wavelength|full_width_half_max|gsd|eo:[a-z_]+|raster:[a-z_]+)$/,
    removed: "note",
    added: "note",
    changed: "note",
  },
  { path: /^bands\/[^/]+\/[^/]+\/cross_sensor$/, removed: "breaking", added: "addition", changed: "breaking" },
  { path: /^bands\/[^/]+\/[^/]+\/common_name$/, removed: "breaking", added: "addition", changed: "breaking" },
  { path: /^bands\/[^/]+\/[^/]+\/[a-z_]+$/, removed: "breaking", added: "breaking", changed: "breaking" },
  { path: /\/upstream\//, removed: "note", added: "note", changed: "note" },
  { path: /^collections\/[^/]+\/aliases\/[^/]+\/filter$/, removed: "breaking", added: "breaking", changed: "breaking" },
  { path: /^collections\/[^/]+\/aliases\/[^/]+\/group$/, removed: "note", added: "note", changed: "note" },
  { path: /^indices\/[^/]+\/bands\//, removed: "note", added: "note", changed: "note" },
  { path: /./, removed: "breaking", added: "addition", changed: "breaking" },
];

function levelOf(path: string, kind: Change["kind"]): ChangeLevel {
  return JUDGEMENTS.find((judgement) => judgement.path.test(path))?.[kind] ?? "breaking";
}

const RISES = ["none", "patch", "minor", "major"] as const;
type Rise = (typeof RISES)[number];

function neededRise(changes: readonly Change[]): Rise {
  if (changes.some(({ level }) => level === "breaking")) return "major";
  if (changes.some(({ level }) => level === "addition")) return "minor";
  return changes.length > 0 ? "patch" : "none";
}

function riseOf(from: string, to: string): Rise {
  const old = from.split(".").map(Number);
  const now = to.split(".").map(Number);
  for (const [position, rise] of (["major", "minor", "patch"] as const).entries()) {
    const difference = (now[position] ?? 0) - (old[position] ?? 0);
    if (difference !== 0) return difference > 0 ? rise : "none";
  }
  return "none";
}

/** Writes a diff as lines for people. */
export function formatDiff(diff: SchemaDiff): string {
  const lines = diff.changes.map(({ level, kind, path, before, after }) => {
    const values = [before, after].filter((value) => value !== undefined).map((value) => JSON.stringify(value));
    return `${level} ${kind}: ${path}${values.length === 0 ? "" : ` (${values.join(" -> ")})`}`;
  });
  const verdict =
    diff.needs === "none"
      ? "no differences"
      : `needs a ${diff.needs} version; ${diff.versionFits ? "the version rises enough" : "the version does not rise enough"}`;
  return `${[...lines, `${diff.from} -> ${diff.to}: ${verdict}`].join("\n")}\n`;
}
