import * as z from "zod";

/** A part of a path template: text as it stands, or what is found there. */
type Part =
  | { readonly kind: "text"; readonly text: string }
  /** Any characters but `/`; as `folders` any number of whole folders. */
  | { readonly kind: "any" | "folders" }
  | { readonly kind: "name"; readonly name: string };

/** Longest path that is compared, characters. */
const MAX_PATH = 1024;
/** Most placeholders and stars of a template. */
const MAX_PARTS = 16;
const PLACEHOLDER = /\{([a-z][a-z0-9_]{0,31})\}|\*\*\/|\*/g;

/**
 * A path with placeholders, relative to the folder: `{name}` is any text without `/`, `{date}` a date, `*` any text without
 * `/` that is not kept, and `**` and a slash any number of folders.
 */
export const PathTemplate = z
  .string()
  .min(1)
  .max(MAX_PATH)
  .refine((text) => faultOfTemplate(text) === undefined, {
    error: "a path such as {tile}/{date}_{band}.tif, with * and **/, each name once",
  })
  .meta({ description: "A path with {date}, {band}, other {names}, * (any text) and **/ (any folders)." });

/** Text with `{names}` of a path template. */
export const FilledText = z
  .string()
  .min(1)
  .meta({ description: "Text with the {names} of the path, which are replaced by what was found." });

function faultOfTemplate(text: string): string | undefined {
  const parts = partsOf(text);
  if (parts.filter(({ kind }) => kind !== "text").length > MAX_PARTS) return "too many placeholders";
  if (text.startsWith("/") || text.split("/").includes("..")) return "outside of the folder";
  const names = parts.flatMap((part) => (part.kind === "name" ? [part.name] : []));
  if (new Set(names).size < names.length) return "a name twice";
  return parts.some((part) => part.kind === "text" && /[{}]/.test(part.text)) ? "braces" : undefined;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const addText = (end: number): void => {
    if (end > at) parts.push({ kind: "text", text: text.slice(at, end) });
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    addText(match.index);
    at = match.index + match[0].length;
    const [whole, name] = match;
    if (name !== undefined) parts.push({ kind: "name", name });
    else parts.push({ kind: whole === "*" ? "any" : "folders" });
  }
  addText(text.length);
  return parts;
}

/** Days of file names: 2024-04-22 (also with points or lines between), 22.04.2024, 20240422, 2024113 (day of the year). */
const DAY =
  /^(?:(?<y1>\d{4})([-_.])(?<m1>\d\d)\2(?<d1>\d\d)|(?<d2>\d\d)\.(?<m2>\d\d)\.(?<y2>\d{4})|(?<y3>\d{4})(?<m3>\d\d)(?<d3>\d\d)|(?<y4>\d{4})(?<n4>\d{3}))$/;
const TIME = /^[T_ ]?(\d\d):?(\d\d):?(\d\d)(\.\d{1,9})?Z?$/;
/** Characters of a day as it may be written, the longest first. */
const DAY_LENGTHS = [10, 8, 7] as const;
const LONGEST_TIME = 20;

/**
 * The instant that a date of a file's name means, in UTC.
 *
 * @param text a whole date: `20240422`, `2024-04-22`, `2024_04_22`, `22.04.2024`, `2024113` (the day of the year), and a time behind
 *   it, or none.
 * @returns RFC 3339; the first second of the day without a time; `undefined` for what is no date from 1900 to 2199, or with
 *   marks between its parts from 1500 to 2199.
 */
export function fileDate(text: string): string | undefined {
  for (const length of DAY_LENGTHS) {
    const day = dayOf(text.slice(0, length));
    if (day === undefined) continue;
    if (text.length === length) return `${day}T00:00:00Z`;
    const [time, hours = "", minutes = "", seconds = "", fraction = ""] = TIME.exec(text.slice(length)) ?? [];
    if (time !== undefined && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60) {
      return `${day}T${hours}:${minutes}:${seconds}${fraction}Z`;
    }
  }
  return undefined;
}

function dayOf(text: string): string | undefined {
  const parts = DAY.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { y1, m1, d1, y2 = y1, m2 = m1, d2 = d1, y3 = y2, m3 = m2, d3 = d2, y4 = y3, n4 } = parts;
  const [year, month, day] = [Number(y4), Number(m3 ?? 1), Number(n4 ?? d3)];
  const written = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  const isThere = n4 === undefined ? written === `${y4}-${m3}-${d3}` : written.startsWith(`${y4}`);
  const isMarked = text.length === DAY_LENGTHS[0];
  return isThere && year >= (isMarked ? 1500 : 1900) && year < 2200 ? written : undefined;
}

const templates = new Map<string, readonly Part[]>();

/** Names of the placeholders of a template, in their order. */
export function templateNames(template: string): readonly string[] {
  return partsOf(template).flatMap((part) => (part.kind === "name" ? [part.name] : []));
}

/**
 * Compares a path with a template in time that is bounded by their lengths.
 *
 * @param path relative, with `/` between folders.
 * @param accepts whether a placeholder may stand for a text; default any text. Shorter texts are tried first.
 * @returns the text of each placeholder; `undefined` where the path does not fit.
 */
export function matchPath(
  template: string,
  path: string,
  accepts: (name: string, text: string) => boolean = () => true,
): Readonly<Record<string, string>> | undefined {
  if (path.length > MAX_PATH) return undefined;
  const parts = templates.get(template) ?? partsOf(template);
  templates.set(template, parts);
  const found: Record<string, string> = {};
  // places from which the rest does not fit are tried once
  const failed = new Set<number>();
  const fits = (part: number, at: number): boolean => {
    const rule = parts[part];
    if (rule === undefined) return at === path.length;
    const place = part * (MAX_PATH + 1) + at;
    if (failed.has(place)) return false;
    for (const end of endsOf(rule, path, at)) {
      if (rule.kind === "name" && !accepts(rule.name, path.slice(at, end))) continue;
      if (!fits(part + 1, end)) continue;
      if (rule.kind === "name") found[rule.name] = path.slice(at, end);
      return true;
    }
    failed.add(place);
    return false;
  };
  return fits(0, 0) ? found : undefined;
}

/**
 * Yields the places where a part that begins at `at` may end, the nearest first; for a date the farthest first, which
 * includes its time.
 */
function* endsOf(part: Part, path: string, at: number): Generator<number> {
  if (part.kind === "text") {
    if (path.startsWith(part.text, at)) yield at + part.text.length;
    return;
  }
  if (part.kind === "folders") {
    yield at;
    for (let end = path.indexOf("/", at); end !== -1; end = path.indexOf("/", end + 1)) yield end + 1;
    return;
  }
  const slash = path.indexOf("/", at);
  const last = slash === -1 ? path.length : slash;
  if (part.kind === "name" && part.name === "date") {
    for (let end = Math.min(last, at + DAY_LENGTHS[0] + LONGEST_TIME); end > at; end--) {
      if (fileDate(path.slice(at, end)) !== undefined) yield end;
    }
    return;
  }
  for (let end = part.kind === "any" ? at : at + 1; end <= last; end++) yield end;
}

/** The template with its names replaced. */
export function fillTemplate(text: string, found: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z][a-z0-9_]*)\}/g, (whole, name: string) =>
    Object.hasOwn(found, name) ? (found[name] as string) : whole,
  );
}

/** A rule that turns files of a folder into items of a collection. */
export const FilesRule = z.strictObject({
  path: PathTemplate,
  id: FilledText.optional().meta({
    description: "Id of items; files of one id are one item. Default: all names but {band}, with _ between them.",
  }),
  asset: z.string().min(1).optional().meta({
    description: "Asset that a file without {band} is; default `data`, which bands name by `asset` and `index`.",
  }),
  datetime: FilledText.optional().meta({ description: "RFC 3339; default the {date}, else what the file says." }),
  properties: z
    .record(z.string().min(1), z.union([FilledText, z.number(), z.boolean()]))
    .optional()
    .meta({ description: "Properties of items, such as platform." }),
});
export type FilesRule = z.infer<typeof FilesRule>;
