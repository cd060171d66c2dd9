import type { Pattern } from "../filter.ts";

/** A pattern of LIKE, prepared for many texts: what stands for any text, for one character, or for itself. */
interface Token {
  readonly kind: "any" | "one" | "plain";
  readonly character: string | undefined;
}

const prepared = new WeakMap<object, readonly Token[]>();

/**
 * LIKE without a regular expression, so that no pattern takes more than length × length steps.
 *
 * @param key the condition that the pattern is of: its tokens are kept with it
 */
export function isLike(text: string, pattern: Pattern, key: object): boolean {
  let tokens = prepared.get(key);
  if (tokens === undefined) {
    tokens = tokensOf(patternText(pattern));
    prepared.set(key, tokens);
  }
  const characters = [...text];
  let [at, token, lastAny, resume] = [0, 0, -1, 0];
  while (at < characters.length) {
    const { kind, character } = tokens[token] ?? { kind: "end", character: undefined };
    if (kind === "any") {
      [lastAny, resume] = [token, at];
      token += 1;
    } else if (kind === "one" || (kind === "plain" && character === characters[at])) {
      token += 1;
      at += 1;
    } else if (lastAny >= 0) {
      resume += 1;
      [token, at] = [lastAny + 1, resume];
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "any") token += 1;
  return token === tokens.length;
}

function tokensOf(pattern: string): Token[] {
  return [...pattern.matchAll(/\\(.)|(%)|(_)|([^\\]|\\$)/gsu)].map(([, escaped, any, one, plain]) => ({
    kind: any === undefined ? (one === undefined ? "plain" : "one") : "any",
    character: escaped ?? plain,
  }));
}

function patternText(pattern: Pattern): string {
  if (typeof pattern === "string") return pattern;
  return "casei" in pattern ? foldCase(patternText(pattern.casei)) : foldAccents(patternText(pattern.accenti));
}

/**
 * The text without regard to case: by way of upper case, so that ß and SS are the same, and with one small sigma
 * (Unicode 15, 3.13, full case folding).
 */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** The text without accents: decomposed (NFD), without nonspacing marks. Letters such as ø and ł are letters. */
export function foldAccents(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .normalize("NFC");
}
