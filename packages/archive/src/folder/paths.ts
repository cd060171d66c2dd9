import { existsSync } from "node:fs";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The target of an address in a document of the folder. */
export type Target =
  /** A path relative to the folder; also as it is written, where that differs from what it means as a URI reference. */
  | { readonly kind: "inside"; readonly path: string; readonly asWritten?: string }
  /** Another host or bucket. */
  | { readonly kind: "remote"; readonly href: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Returns the target of a link or an asset, by its text alone. The text is a URI reference (RFC 3986): percent-coded characters
 * stand for others, and a query is no part of the path. Documents that are written by hand have plain paths there.
 *
 * @param directory real path of the folder.
 * @param document path of the document that has the address, relative to the folder.
 */
export function targetOf(directory: string, document: string, href: string): Target {
  if (/^(https?|s3|gs|az|abfss?|ftp):/i.test(href)) return { kind: "remote", href };
  const path = /^file:/i.test(href) ? pathOfUrl(href) : href;
  if (path === undefined || path === "" || path.includes("\0") || /^[a-z][a-z0-9+.-]+:/i.test(path)) {
    return { kind: "refused", reason: `an address that is no path and no https or s3 address: ${shown(href)}` };
  }
  // `fileURLToPath` has read a file: address as one
  const meant = path === href ? pathOfReference(path) : path;
  const [found, asWritten] = [meant, path].map((each) => pathInside(directory, document, each));
  if (found === undefined || asWritten === undefined) {
    return { kind: "refused", reason: `an address outside of the folder: ${shown(href)}` };
  }
  return { kind: "inside", path: found, ...(asWritten === found ? {} : { asWritten }) };
}

/** The file of the folder that an address means: by its text where there is such a file, else by its meaning as a reference. */
export function fileOf(directory: string, { path, asWritten }: Extract<Target, { kind: "inside" }>): string {
  return asWritten !== undefined && existsSync(join(directory, asWritten)) ? asWritten : path;
}

/** The path of a relative reference; text that is none stays as it is. */
function pathOfReference(text: string): string {
  try {
    return decodeURIComponent(text.replace(/[?#].*$/s, ""));
  } catch {
    return text;
  }
}

/** A path relative to the folder; undefined where it leads out of the folder, or nowhere. */
function pathInside(directory: string, document: string, path: string): string | undefined {
  if (path.includes("\0")) return undefined;
  const found = isAbsolute(path)
    ? relative(directory, path).split(sep).join("/")
    : posix.normalize(posix.join(posix.dirname(document), path));
  const isOutside = found === "" || found === "." || found === ".." || found.startsWith("../") || isAbsolute(found);
  return isOutside ? undefined : found;
}

function pathOfUrl(href: string): string | undefined {
  try {
    return fileURLToPath(href);
  } catch {
    return undefined;
  }
}

function shown(href: string): string {
  return JSON.stringify(href.length > 120 ? `${href.slice(0, 117)}...` : href);
}
