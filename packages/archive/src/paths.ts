import { isAbsolute, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The target of an address in a document of the folder. */
export type Target =
  /** A path relative to the folder. */
  | { readonly kind: "inside"; readonly path: string }
  /** Another host or bucket. */
  | { readonly kind: "remote"; readonly href: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Returns the target of a link or an asset, by its text alone.
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
  const found = isAbsolute(path)
    ? relative(directory, path).split(sep).join("/")
    : posix.normalize(posix.join(posix.dirname(document), path));
  if (found === "" || found === "." || found === ".." || found.startsWith("../") || isAbsolute(found)) {
    return { kind: "refused", reason: `an address outside of the folder: ${shown(href)}` };
  }
  return { kind: "inside", path: found };
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
