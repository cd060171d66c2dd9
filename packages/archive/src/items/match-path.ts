import { type TemplatePart, templateParts } from "@swath/schema/files";
import { fileDate, LONGEST_DATE } from "../folder/file-date.ts";

/** Longest path that is compared, characters. */
const MAX_PATH = 1024;

const templates = new Map<string, readonly TemplatePart[]>();

/** Names of the placeholders of a template, in their order. */
export function templateNames(template: string): readonly string[] {
  return templateParts(template).flatMap((part) => (part.kind === "name" ? [part.name] : []));
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
  const parts = templates.get(template) ?? templateParts(template);
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
function* endsOf(part: TemplatePart, path: string, at: number): Generator<number> {
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
    for (let end = Math.min(last, at + LONGEST_DATE); end > at; end--) {
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
