import { type Expression, parseExpression } from "@swath/raster";

const MAX_KEPT = 256;

/** Expressions that were parsed before: the few recipes there are come again with every tile. */
export class ExpressionCache {
  readonly #parsed = new Map<string, Expression>();

  /** @throws {ExpressionError} */
  parse(text: string, variables: readonly string[]): Expression {
    const key = `${variables.join(",")}|${text}`;
    let expression = this.#parsed.get(key);
    if (expression === undefined) {
      expression = parseExpression(text, variables);
      if (this.#parsed.size >= MAX_KEPT) this.#parsed.clear();
      this.#parsed.set(key, expression);
    }
    return expression;
  }
}
