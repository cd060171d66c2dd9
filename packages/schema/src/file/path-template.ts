import * as z from "zod";

/** A part of a path template: text as it stands, or what is found there. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  /** Any characters but `/`; as `folders` any number of whole folders. */
  | { readonly kind: "any" | "folders" }
  | { readonly kind: "name"; readonly name: string };

/** Longest template, characters. */
const MAX_TEMPLATE = 1024;
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
  .max(MAX_TEMPLATE)
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
  const parts = templateParts(text);
  if (parts.filter(({ kind }) => kind !== "text").length > MAX_PARTS) return "too many placeholders";
  if (text.startsWith("/") || text.split("/").includes("..")) return "outside of the folder";
  const names = parts.flatMap((part) => (part.kind === "name" ? [part.name] : []));
  if (new Set(names).size < names.length) return "a name twice";
  return parts.some((part) => part.kind === "text" && /[{}]/.test(part.text)) ? "braces" : undefined;
}

/** Reads the parts of a template, in their order. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
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
