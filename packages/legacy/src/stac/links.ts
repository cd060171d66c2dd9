/** Characters of the longest `links` array that is rewritten; a longer one passes as it is. */
const MAX_LINKS = 4 * 1_048_576;
/** The key of an array of links. In valid JSON nothing but a quote within a string has a backslash before it. */
const LINKS = /(?<!\\)"links"\s*:\s*(?=\[)/g;
/** Brackets, and where strings begin, which may hold brackets. */
const TOKENS = /["[\]{}]/g;

interface Link {
  readonly rel?: unknown;
  href?: unknown;
}

/** `href` below one of `roots`, moved below `to`; undefined where it is elsewhere. */
function moved(href: string, roots: readonly string[], to: string): string | undefined {
  for (const root of roots) {
    const rest = href.slice(root.length);
    if (href.startsWith(root) && (rest === "" || rest.startsWith("/") || rest.startsWith("?"))) return to + rest;
  }
  return undefined;
}

/**
 * The text of a `links` array with the addresses below the upstream's root moved. The root is the one the upstream is
 * known by and the one it gives itself in the same array (`rel: root`), which differ behind a proxy.
 */
function rewriteArray(text: string, root: string, to: string): string {
  const links = JSON.parse(text) as readonly unknown[];
  const known = links.filter((link): link is Link => typeof link === "object" && link !== null);
  const own = known.find(({ rel }) => rel === "root")?.href;
  const roots = typeof own === "string" ? [root, own.replace(/\/+$/, "")] : [root];
  let isChanged = false;
  for (const link of known) {
    const href = typeof link.href === "string" ? moved(link.href, roots, to) : undefined;
    if (href === undefined) continue;
    link.href = href;
    isChanged = true;
  }
  return isChanged ? JSON.stringify(links) : text;
}

/** Returns the position after the string whose characters begin at `at`. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

/** Returns the position after the array that begins at `start`. */
function endOfArray(text: string, start: number): number {
  TOKENS.lastIndex = start;
  let depth = 0;
  do {
    const token = TOKENS.exec(text)?.[0];
    if (token === '"') TOKENS.lastIndex = endOfString(text, TOKENS.lastIndex);
    else depth += token === "[" || token === "{" ? 1 : -1;
  } while (depth > 0);
  return TOKENS.lastIndex;
}

/**
 * Moves the addresses in the `links` of a JSON document that are below the upstream's root. Everything else passes as it came, the
 * addresses of assets and the form of numbers too.
 *
 * @param text valid JSON
 * @param root of the upstream, without a slash at the end
 * @param to its new address, without a slash at the end
 */
export function moveLinks(text: string, root: string, to: string): string {
  let out = "";
  let done = 0;
  LINKS.lastIndex = 0;
  for (let key = LINKS.exec(text); key !== null; key = LINKS.exec(text)) {
    const start = LINKS.lastIndex;
    const end = endOfArray(text, start);
    if (end - start > MAX_LINKS) continue;
    out += text.slice(done, start) + rewriteArray(text.slice(start, end), root, to);
    done = end;
    LINKS.lastIndex = end;
  }
  return out + text.slice(done);
}
