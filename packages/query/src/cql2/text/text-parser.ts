import { type Expression, Expressions, type Fault, TOO_DEEP } from "../expression.ts";
import { MAX_FILTER_DEPTH } from "../limits.ts";
import { findOperator, KEYWORDS } from "../operators.ts";
import { Tokens } from "./tokens.ts";
import { readNumber, startsGeometry, WktReader } from "./wkt-reader.ts";

/** The contents of parentheses that stand alone: one value, or, where a list is meant, a list of one. */
interface Group {
  readonly at: number;
  /** The start of the token behind the parenthesis. */
  readonly next: number;
  readonly entry: Expression;
}

/**
 * Reads CQL2 text (OGC 21-065r2, annex B) by recursive descent, one method for each level of precedence:
 * OR, AND, NOT, comparisons, + and −, * / % div, ^, sign. `NOT a = 1` is `NOT (a = 1)`, `-a ^ 2` is `(-a) ^ 2`.
 */
export class TextParser {
  readonly #tokens: Tokens;
  readonly #make: Expressions;
  readonly #fault: Fault;
  #depth = 0;
  #group: Group | undefined;

  constructor(text: string, fault: Fault) {
    this.#fault = fault;
    this.#make = new Expressions(fault);
    this.#tokens = new Tokens(text, fault);
  }

  parse(): Expression {
    const expression = this.#or();
    if (this.#tokens.current.kind !== "end") throw this.#tokens.expected("AND, OR or the end");
    return expression;
  }

  #or(): Expression {
    return this.#joined("OR", () => this.#joined("AND", () => this.#not()));
  }

  #joined(word: "AND" | "OR", next: () => Expression): Expression {
    const first = next();
    if (!this.#tokens.isWord(word)) return first;
    const args = [first];
    while (this.#tokens.isWord(word)) {
      this.#tokens.take();
      args.push(next());
    }
    return this.#make.operation(word.toLowerCase(), args, first.at);
  }

  #not(): Expression {
    if (!this.#tokens.isWord("NOT")) return this.#predicate();
    const { at } = this.#tokens.take();
    return this.#nested(at, () => this.#make.operation("not", [this.#not()], at));
  }

  #predicate(): Expression {
    const left = this.#sum();
    const tokens = this.#tokens;
    if (tokens.isSign("=", "<>", "<", "<=", ">", ">=")) {
      const { value } = tokens.take();
      return this.#make.operation(value, [left, this.#sum()], left.at);
    }
    if (tokens.isWord("IS")) {
      tokens.take();
      const negated = this.#isNegated();
      tokens.takeWord("NULL");
      return this.#negated(negated, this.#make.operation("isNull", [left], left.at));
    }
    const negated = this.#isNegated();
    if (tokens.isWord("LIKE")) {
      tokens.take();
      return this.#negated(negated, this.#make.operation("like", [left, this.#sum()], left.at));
    }
    if (tokens.isWord("BETWEEN")) {
      tokens.take();
      const lower = this.#sum();
      tokens.takeWord("AND");
      return this.#negated(negated, this.#make.operation("between", [left, lower, this.#sum()], left.at));
    }
    if (tokens.isWord("IN")) {
      const { at } = tokens.take();
      const values = this.#make.array(
        this.#list(() => this.#or()),
        at,
      );
      return this.#negated(negated, this.#make.operation("in", [left, values], left.at));
    }
    if (negated) throw tokens.expected("LIKE, BETWEEN or IN");
    return left;
  }

  #isNegated(): boolean {
    if (!this.#tokens.isWord("NOT")) return false;
    this.#tokens.take();
    return true;
  }

  #negated(isNegated: boolean, expression: Expression): Expression {
    return isNegated ? this.#make.operation("not", [expression], expression.at) : expression;
  }

  #sum(): Expression {
    let left = this.#product();
    while (this.#tokens.isSign("+", "-")) {
      const { value } = this.#tokens.take();
      left = this.#make.operation(value, [left, this.#product()], left.at);
    }
    return left;
  }

  #product(): Expression {
    let left = this.#power();
    while (this.#tokens.isSign("*", "/", "%") || this.#tokens.isWord("DIV")) {
      const op = this.#tokens.take().value.toLowerCase();
      left = this.#make.operation(op, [left, this.#power()], left.at);
    }
    return left;
  }

  #power(): Expression {
    const base = this.#signed();
    if (!this.#tokens.isSign("^")) return base;
    this.#tokens.take();
    const power = this.#make.operation("^", [base, this.#signed()], base.at);
    if (this.#tokens.isSign("^")) {
      throw this.#fault(this.#tokens.current.at, "A power of a power needs parentheses: (a ^ b) ^ c or a ^ (b ^ c).");
    }
    return power;
  }

  #signed(): Expression {
    if (!this.#tokens.isSign("+", "-")) return this.#primary();
    const { value, at } = this.#tokens.take();
    return this.#nested(at, () => {
      const operand = this.#signed();
      if (value === "+") return operand;
      if (operand.kind === "literal" && typeof operand.value === "number")
        return this.#make.literal(-operand.value, at);
      return this.#make.operation("*", [this.#make.literal(-1, at), operand], at);
    });
  }

  #primary(): Expression {
    const tokens = this.#tokens;
    const { kind, value, word, at } = tokens.current;
    switch (kind) {
      case "text":
        tokens.take();
        return this.#make.literal(value, at);
      case "number":
        tokens.take();
        return this.#make.literal(Number(value), at);
      case "quoted":
        tokens.take();
        return this.#make.property(value, at, true);
      case "word":
        return this.#word(value, word, at);
      default:
        if (tokens.isSign("(")) return this.#parenthesized(at);
        throw tokens.expected("a value or a condition");
    }
  }

  #word(value: string, word: string, at: number): Expression {
    const tokens = this.#tokens;
    if (word === "TRUE" || word === "FALSE") {
      tokens.take();
      return this.#make.literal(word === "TRUE", at);
    }
    if (KEYWORDS.has(word)) throw tokens.expected("a value or a condition");
    if (startsGeometry(tokens)) return this.#make.geometry(new WktReader(tokens).geometry(), at);
    const isCall = tokens.opensNext;
    tokens.take();
    if (!isCall) return this.#make.property(value, at);
    switch (word) {
      case "DATE":
      case "TIMESTAMP":
        return this.#make.time(word === "DATE" ? "date" : "timestamp", this.#onlyText(), at);
      case "INTERVAL":
        return this.#make.interval(
          this.#nested(at, () => this.#list(() => this.#sum())),
          at,
        );
      case "BBOX":
        return this.#make.bbox(
          this.#list(() => readNumber(tokens)),
          at,
        );
      default:
        return this.#call(value, at);
    }
  }

  #onlyText(): string {
    this.#tokens.takeSign("(");
    if (this.#tokens.current.kind !== "text") throw this.#tokens.expected("text in single quotes");
    const { value } = this.#tokens.take();
    this.#tokens.takeSign(")");
    return value;
  }

  #call(name: string, at: number): Expression {
    const operator = findOperator(name);
    const takesLists = operator === undefined || operator.kind === "array";
    const args = this.#nested(at, () =>
      this.#list(() => (takesLists ? this.#entry() : this.#or()), operator === undefined),
    );
    return this.#make.operation(name, args, at);
  }

  /** Values in parentheses, divided by commas. */
  #list(read: () => Expression, mayBeEmpty?: boolean): Expression[];
  #list(read: () => number): number[];
  #list<T>(read: () => T, mayBeEmpty = false): T[] {
    this.#tokens.takeSign("(");
    const entries: T[] = [];
    if (!(mayBeEmpty && this.#tokens.isSign(")"))) {
      entries.push(read());
      while (this.#tokens.isSign(",")) {
        this.#tokens.take();
        entries.push(read());
      }
    }
    if (!this.#tokens.isSign(")")) throw this.#tokens.expected('"," or ")"');
    this.#tokens.take();
    return entries;
  }

  /** An expression in parentheses, or a list of none or several. */
  #parenthesized(at: number): Expression {
    return this.#nested(at, () => {
      const tokens = this.#tokens;
      tokens.take();
      if (tokens.isSign(")")) {
        tokens.take();
        return this.#make.array([], at);
      }
      const [first, entry] = this.#expressionAndEntry();
      const isList = tokens.isSign(",");
      const entries = [entry];
      while (tokens.isSign(",")) {
        tokens.take();
        entries.push(this.#entry());
      }
      if (!tokens.isSign(")")) throw tokens.expected('")"');
      tokens.take();
      if (isList) return this.#make.array(entries, at);
      this.#group = { at, next: tokens.current.at, entry };
      return first;
    });
  }

  /** An entry of a list or an argument of a function, where `(1)` is a list of one. */
  #entry(): Expression {
    return this.#expressionAndEntry()[1];
  }

  #expressionAndEntry(): [expression: Expression, entry: Expression] {
    const { at } = this.#tokens.current;
    const startsGroup = this.#tokens.isSign("(");
    const expression = this.#or();
    const group = this.#group;
    const isGroup = startsGroup && group?.at === at && group.next === this.#tokens.current.at;
    // ( … , … ) is a list already, and starts where the parenthesis does
    if (!isGroup || (expression.kind === "array" && expression.at === at)) return [expression, expression];
    return [expression, this.#make.array([group.entry], at)];
  }

  #nested<T>(at: number, read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_FILTER_DEPTH) throw this.#fault(at, TOO_DEEP);
    const result = read();
    this.#depth -= 1;
    return result;
  }
}
