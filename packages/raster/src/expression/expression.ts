import { parseTree, type Tree } from "./parser.ts";

/** One operation on registers of 1024 values: `out` = `op`(`a`, `b`, `c`); unused operands are 0. */
export interface Instruction {
  readonly op: Operation;
  readonly out: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export type Operation = Extract<Tree, { kind: "call" }>["op"];

/**
 * Compiled band math: registers 0 to `inputs.length − 1` hold bands, the next ones `constants`, the rest results.
 * `inputs` are indices into the list of bands that the expression was parsed with; bands it does not use are absent.
 */
export interface Expression {
  readonly text: string;
  readonly inputs: readonly number[];
  readonly constants: readonly number[];
  readonly instructions: readonly Instruction[];
  readonly registers: number;
  readonly result: number;
}

/**
 * Reads band math over the names in `bands`: numbers, `+ - * / **`, unary minus, `< <= > >= == !=` (1 or 0),
 * parentheses, and the functions sqrt, abs, exp, log (natural), log10, floor, ceil, min, max, clamp(x, low, high)
 * and where(condition, then, otherwise). Precedence as in Python: `-a**2` is −(a²), `**` groups to the right.
 * At most 2000 characters, 200 operations, 50 levels.
 *
 * @throws {ExpressionError} with the position, for anything else.
 * @example parseExpression("(b1-b2)/(b1+b2-2000)", ["b1", "b2"])
 */
export function parseExpression(text: string, bands: readonly string[]): Expression {
  const tree = parseTree(text, bands);
  const inputs: number[] = [];
  const constants: number[] = [];
  collect(tree, inputs, constants);
  const first = inputs.length + constants.length;
  const instructions: Instruction[] = [];
  let registers = first;
  const emit = (node: Tree, free: number): number => {
    if (node.kind === "band") return inputs.indexOf(node.index);
    if (node.kind === "number") return inputs.length + constants.findIndex((value) => Object.is(value, node.value));
    // an operand that is a result keeps its register until this operation has read it
    let next = free;
    const operands = node.operands.map((operand) => {
      const register = emit(operand, next);
      if (register >= first) next = Math.max(next, register + 1);
      return register;
    });
    registers = Math.max(registers, free + 1);
    const [a = 0, b = 0, c = 0] = operands;
    instructions.push({ op: node.op, out: free, a, b, c });
    return free;
  };
  const result = emit(tree, first);
  return { text, inputs, constants, instructions, registers, result };
}

function collect(tree: Tree, inputs: number[], constants: number[]): void {
  if (tree.kind === "band") {
    if (!inputs.includes(tree.index)) inputs.push(tree.index);
  } else if (tree.kind === "number") {
    if (!constants.some((value) => Object.is(value, tree.value))) constants.push(tree.value);
  } else {
    for (const operand of tree.operands) collect(operand, inputs, constants);
  }
}
