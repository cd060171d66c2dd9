import { ExpressionError } from "../errors.ts";

const BINARY = { "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power" } as const;
const COMPARE = {
  "<": "less",
  "<=": "lessEqual",
  ">": "greater",
  ">=": "greaterEqual",
  "==": "equal",
  "!=": "notEqual",
} as const;
const FUNCTIONS = {
  sqrt: [1, 1],
  abs: [1, 1],
  exp: [1, 1],
  log: [1, 1],
  log10: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  min: [2, 20],
  max: [2, 20],
  clamp: [3, 3],
  where: [3, 3],
} as const;

type FunctionName = keyof typeof FUNCTIONS;
type Op = (typeof BINARY)[keyof typeof BINARY] | (typeof COMPARE)[keyof typeof COMPARE] | "negate" | FunctionName;

export type Tree =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "band"; readonly index: number }
  | { readonly kind: "call"; readonly op: Op; readonly operands: readonly Tree[] };

const MAX_LENGTH = 2000;
const MAX_OPERATIONS = 200;
const MAX_DEPTH = 50;

const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|<=|>=|==|!=|[-+*/<>(),]))/y;

interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
  readonly position: number;
}

/** @throws {ExpressionError} for anything outside the grammar and its bounds. */
export function parseTree(text: string, bands: readonly string[]): Tree {
  // before anything is read: the cost of a refusal must not grow with the text
  if (text.length > MAX_LENGTH) {
    throw new ExpressionError(
      "expression-too-large",
      MAX_LENGTH,
      `Expected at most ${MAX_LENGTH} characters, got ${text.length}.`,
    );
  }
  return new Parser(tokenize(text), bands).parse();
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const position = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      throw new ExpressionError("invalid-expression", position, `Unexpected "${text[position]}" at ${position}.`);
    }
    const [, number, name, sign] = match;
    const token = number ?? name ?? sign ?? "";
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    tokens.push({ kind, text: token, position: TOKEN.lastIndex - token.length });
  }
  tokens.push({ kind: "end", text: "the end", position: end });
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #bands: readonly string[];
  #at = 0;
  #depth = 0;
  #operations = 0;

  constructor(tokens: readonly Token[], bands: readonly string[]) {
    this.#tokens = tokens;
    this.#bands = bands;
  }

  parse(): Tree {
    const tree = this.#comparison();
    if (this.#next.kind !== "end") this.#fail("an operator or the end");
    return tree;
  }

  get #next(): Token {
    return this.#tokens[this.#at]!;
  }

  #fail(expected: string): never {
    const { text, position } = this.#next;
    throw new ExpressionError("invalid-expression", position, `Expected ${expected} at ${position}, got ${text}.`);
  }

  #take(sign: string): boolean {
    const found = this.#next.kind === "sign" && this.#next.text === sign;
    if (found) this.#at += 1;
    return found;
  }

  #takeOneOf<T extends string>(signs: Readonly<Record<string, T>>): T | undefined {
    const op = this.#next.kind === "sign" ? signs[this.#next.text] : undefined;
    if (op !== undefined) this.#at += 1;
    return op;
  }

  #call(op: Op, operands: readonly Tree[]): Tree {
    this.#operations += 1;
    if (this.#operations > MAX_OPERATIONS) this.#tooLarge(`at most ${MAX_OPERATIONS} operations`);
    return { kind: "call", op, operands };
  }

  #tooLarge(expected: string): never {
    throw new ExpressionError("expression-too-large", this.#next.position, `Expected ${expected}.`);
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#tooLarge(`at most ${MAX_DEPTH} levels`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #comparison(): Tree {
    const left = this.#sum();
    const op = this.#takeOneOf(COMPARE);
    return op === undefined ? left : this.#call(op, [left, this.#sum()]);
  }

  #sum(): Tree {
    let left = this.#product();
    for (;;) {
      const op = this.#takeOneOf({ "+": BINARY["+"], "-": BINARY["-"] });
      if (op === undefined) return left;
      left = this.#call(op, [left, this.#product()]);
    }
  }

  #product(): Tree {
    let left = this.#unary();
    for (;;) {
      const op = this.#takeOneOf({ "*": BINARY["*"], "/": BINARY["/"] });
      if (op === undefined) return left;
      left = this.#call(op, [left, this.#unary()]);
    }
  }

  #unary(): Tree {
    if (this.#take("+")) return this.#nested(() => this.#unary());
    if (!this.#take("-")) return this.#power();
    const operand = this.#nested(() => this.#unary());
    return operand.kind === "number" ? { kind: "number", value: -operand.value } : this.#call("negate", [operand]);
  }

  #power(): Tree {
    const base = this.#primary();
    return this.#take("**") ? this.#call("power", [base, this.#nested(() => this.#unary())]) : base;
  }

  #primary(): Tree {
    const token = this.#next;
    if (token.kind === "number") {
      this.#at += 1;
      return { kind: "number", value: Number(token.text) };
    }
    if (token.kind === "name") {
      this.#at += 1;
      return this.#next.text === "(" ? this.#function(token) : this.#band(token);
    }
    if (!this.#take("(")) this.#fail("a number, a band or a parenthesis");
    const inner = this.#nested(() => this.#comparison());
    if (!this.#take(")")) this.#fail("a closing parenthesis");
    return inner;
  }

  #band(token: Token): Tree {
    const index = this.#bands.indexOf(token.text);
    if (index >= 0) return { kind: "band", index };
    const names = this.#bands.slice(0, 20).join(", ");
    throw new ExpressionError("unknown-band", token.position, `Expected one of ${names}, got "${token.text}".`);
  }

  #function(token: Token): Tree {
    if (!Object.hasOwn(FUNCTIONS, token.text)) {
      const names = Object.keys(FUNCTIONS).join(", ");
      throw new ExpressionError("invalid-expression", token.position, `Expected one of ${names}, got "${token.text}".`);
    }
    const name = token.text as FunctionName;
    const [least, most] = FUNCTIONS[name];
    this.#take("(");
    const operands = this.#nested(() => {
      const list = [this.#comparison()];
      while (list.length < most && this.#take(",")) list.push(this.#comparison());
      return list;
    });
    if (operands.length < least || !this.#take(")")) {
      const range = least === most ? `${least}` : `${least} to ${most}`;
      this.#fail(`${range} ${most === 1 ? "argument" : "arguments"} of ${name}`);
    }
    // min and max of many are taken two at a time
    const [first, ...rest] = operands as [Tree, ...Tree[]];
    if (name === "min" || name === "max") return rest.reduce((left, right) => this.#call(name, [left, right]), first);
    return this.#call(name, operands);
  }
}
