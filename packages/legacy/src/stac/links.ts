/** Characters of one `links` array that are held back at most; a longer one passes as it is. */
const MAX_LINKS = 4 * 1_048_576;
const KEY = "links";

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
  let links: unknown;
  try {
    links = JSON.parse(text);
  } catch {
    return text;
  }
  if (!Array.isArray(links)) return text;
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

/**
 * Rewrites the `links` of JSON documents piece by piece: of a page of items only one array of links is ever held.
 * Everything else, the addresses of assets among it, passes as it came.
 */
export class LinkRewriter {
  readonly #root: string;
  readonly #to: string;
  #state: "outside" | "string" | "after-key" | "links" = "outside";
  /** The string just read, as far as it may be the key. */
  #word = "";
  #isEscaped = false;
  #held = "";
  #depth = 0;
  #isInString = false;

  constructor(root: string, to: string) {
    this.#root = root;
    this.#to = to;
  }

  push(text: string): string {
    let out = "";
    let at = 0;
    while (at < text.length) {
      const from = at;
      switch (this.#state) {
        case "outside": {
          const quote = text.indexOf('"', at);
          at = quote < 0 ? text.length : quote + 1;
          if (quote >= 0) {
            this.#state = "string";
            this.#word = "";
          }
          out += text.slice(from, at);
          break;
        }
        case "string":
          at = this.#passString(text, at);
          out += text.slice(from, at);
          break;
        case "after-key": {
          const character = text[at] as string;
          if (character === "[") {
            this.#state = "links";
            this.#held = "";
            this.#depth = 0;
          } else {
            if (!/[\s:]/.test(character)) this.#state = "outside";
            else {
              out += character;
              at += 1;
            }
          }
          break;
        }
        case "links":
          at = this.#holdLinks(text, at);
          if (this.#depth === 0) {
            out += rewriteArray(this.#held, this.#root, this.#to);
            this.#state = "outside";
          } else if (this.#held.length > MAX_LINKS) {
            out += this.#held;
            this.#state = this.#isInString ? "string" : "outside";
            this.#word = `${KEY} of an array that is too long`;
          }
          break;
      }
    }
    return out;
  }

  /** Returns the text still held when the document ends too early. */
  end(): string {
    return this.#state === "links" ? this.#held : "";
  }

  /** Moves to the end of a string. */
  #passString(text: string, start: number): number {
    for (let at = start; at < text.length; at++) {
      const character = text[at] as string;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') {
        this.#state = this.#word === KEY ? "after-key" : "outside";
        return at + 1;
      }
      if (this.#word.length <= KEY.length) this.#word += character;
    }
    return text.length;
  }

  #holdLinks(text: string, start: number): number {
    let at = start;
    for (; at < text.length; at++) {
      const character = text[at] as string;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#isInString = false;
      } else if (character === '"') this.#isInString = true;
      else if (character === "[" || character === "{") this.#depth += 1;
      else if (character === "]" || character === "}") {
        this.#depth -= 1;
        if (this.#depth === 0) {
          at += 1;
          break;
        }
      }
    }
    this.#held += text.slice(start, at);
    return at;
  }
}
