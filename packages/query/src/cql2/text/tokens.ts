import type { QueryError } from "../../errors.ts";
import type { Fault } from "../expression.ts";

/** A token of CQL2 text. A word is a keyword, a function or a property; a quoted one is always a property. */
export interface Token {
  readonly kind: "word" | "quoted" | "text" | "number" | "sign" | "end";
  /** The word, name, text or sign without its quotes; a number as it is written. */
  readonly value: string;
  /** A word in upper case, as keywords are compared; otherwise empty. */
  readonly word: string;
  /** First character of the token, from 0. */
  readonly at: number;
}

// cql2.bnf of OGC 21-065r2: identifierStart, identifierPart, whitespace, numericLiteral without its sign
const START =
  ":_A-Za-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFE\\u200C\\u200D\\u2070-\\u218F" +
  "\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const IDENTIFIER = `[${START}][${START}.0-9\\u0300-\\u036F\\u203F\\u2040]*`;
const WORD = new RegExp(IDENTIFIER, "uy");
const WHOLE_WORD = new RegExp(`^${IDENTIFIER}$`, "u");
const SPACE = /[\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?/y;
const GEOMETRY = /\(|Z[\t-\r ]*\(|(?:Z[\t-\r ]+)?EMPTY\b/iy;
const SIGN = /<>|<=|>=|[=<>]/y;
/** Signs of which no other sign starts. */
const ALONE: ReadonlySet<string> = new Set("+-*/%^(),");

/** Whether a name can be written without quotes, as far as its characters go. */
export function isIdentifier(name: string): boolean {
  return WHOLE_WORD.test(name);
}

/** The tokens of a text, one at a time: nothing behind an error is looked at. */
export class Tokens {
  readonly #text: string;
  readonly fault: Fault;
  #next = 0;
  #current: Token;

  constructor(text: string, fault: Fault) {
    this.#text = text;
    this.fault = fault;
    this.#current = this.#read();
  }

  get current(): Token {
    return this.#current;
  }

  /** The current token, after which the next one is current. */
  take(): Token {
    const token = this.#current;
    this.#current = this.#read();
    return token;
  }

  isSign(...signs: readonly string[]): boolean {
    return this.#current.kind === "sign" && signs.includes(this.#current.value);
  }

  /** Whether the current token is one of these words, in any case. */
  isWord(...words: readonly string[]): boolean {
    return this.#current.word !== "" && words.includes(this.#current.word);
  }

  /** Whether the text goes on with a parenthesis behind the current token. */
  get opensNext(): boolean {
    return this.#text[this.#skip()] === "(";
  }

  /** Whether the text goes on as WKT does behind the type of a geometry. */
  get opensNextGeometry(): boolean {
    GEOMETRY.lastIndex = this.#skip();
    return GEOMETRY.test(this.#text);
  }

  takeSign(sign: string): Token {
    if (!this.isSign(sign)) throw this.expected(`"${sign}"`);
    return this.take();
  }

  takeWord(word: string): Token {
    if (!this.isWord(word)) throw this.expected(word);
    return this.take();
  }

  /** The error for a current token that cannot be there. */
  expected(what: string): QueryError {
    return this.fault(this.#current.at, `Expected ${what}, got ${shownToken(this.#current)}.`);
  }

  #skip(): number {
    const code = this.#text.charCodeAt(this.#next);
    if (code > 0x20 && code < 0x7f) return this.#next;
    SPACE.lastIndex = this.#next;
    SPACE.exec(this.#text);
    return SPACE.lastIndex;
  }

  #read(): Token {
    const at = this.#skip();
    const first = this.#text[at];
    if (first === undefined) return { kind: "end", value: "", word: "", at };
    if (first === "'") return this.#readText(at);
    if (first === '"') return this.#readQuoted(at);
    // nearly all of a long filter is numbers and commas
    if (ALONE.has(first)) {
      this.#next = at + 1;
      return { kind: "sign", value: first, word: "", at };
    }
    const token =
      (first >= "0" && first <= "9") || first === "."
        ? this.#match(NUMBER, "number", at)
        : (this.#match(WORD, "word", at) ?? this.#match(SIGN, "sign", at));
    return token ?? this.#stray(at);
  }

  #match(pattern: RegExp, kind: Token["kind"], at: number): Token | undefined {
    pattern.lastIndex = at;
    const value = pattern.exec(this.#text)?.[0];
    if (value === undefined) return undefined;
    this.#next = at + value.length;
    return { kind, value, word: kind === "word" ? value.toUpperCase() : "", at };
  }

  #stray(at: number): never {
    throw this.fault(
      at,
      `Unexpected character ${JSON.stringify(String.fromCodePoint(this.#text.codePointAt(at) ?? 0))}.`,
    );
  }

  /** Text in single quotes: '' and \' are a quote, every other backslash is itself. */
  #readText(at: number): Token {
    let value = "";
    let from = at + 1;
    for (;;) {
      const quote = this.#text.indexOf("'", from);
      if (quote < 0) throw this.fault(at, "The text that starts here has no closing quote.");
      if (quote > from && this.#text[quote - 1] === "\\") {
        value += `${this.#text.slice(from, quote - 1)}'`;
        from = quote + 1;
      } else if (this.#text[quote + 1] === "'") {
        value += this.#text.slice(from, quote + 1);
        from = quote + 2;
      } else {
        this.#next = quote + 1;
        return { kind: "text", value: value + this.#text.slice(from, quote), word: "", at };
      }
    }
  }

  /** A name in double quotes, a quote in it doubled. */
  #readQuoted(at: number): Token {
    let value = "";
    let from = at + 1;
    for (;;) {
      const quote = this.#text.indexOf('"', from);
      if (quote < 0) throw this.fault(at, "The name that starts here has no closing quote.");
      value += this.#text.slice(from, quote);
      if (this.#text[quote + 1] !== '"') {
        if (value === "") throw this.fault(at, "A name has at least one character.");
        this.#next = quote + 1;
        return { kind: "quoted", value, word: "", at };
      }
      value += '"';
      from = quote + 2;
    }
  }
}

function shownToken({ kind, value }: Token): string {
  if (kind === "end") return "the end";
  const text = value.length > 40 ? `${value.slice(0, 39)}…` : value;
  return kind === "text" ? `'${text}'` : `"${text}"`;
}
