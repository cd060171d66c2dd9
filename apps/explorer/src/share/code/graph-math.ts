import { type Expression, parseExpression } from "@swath/raster";

type Operand = number | { readonly from_node: string } | { readonly from_parameter: string };
export interface GraphNode {
  readonly process_id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result?: true;
}
export type Graph = Record<string, GraphNode>;

type Add = (process: string, args: Readonly<Record<string, unknown>>) => Operand;
type Operation = Expression["instructions"][number]["op"];

const xy = (process: string) => (add: Add, x: Operand, y: Operand) => add(process, { x, y });
/** Comparisons of band math give 1 or 0. */
const asNumber = (process: string) => (add: Add, x: Operand, y: Operand) =>
  add("if", { value: add(process, { x, y }), accept: 1, reject: 0 });
const smaller = (add: Add, x: Operand, y: Operand) => add("if", { value: add("lte", { x, y }), accept: x, reject: y });
const larger = (add: Add, x: Operand, y: Operand) => add("if", { value: add("gte", { x, y }), accept: x, reject: y });

/** Band math as processes of openEO; those that are absent have none. */
const PROCESSES: Partial<Record<Operation, (add: Add, a: Operand, b: Operand, c: Operand) => Operand>> = {
  add: xy("add"),
  subtract: xy("subtract"),
  multiply: xy("multiply"),
  divide: xy("divide"),
  power: (add, base, p) => add("power", { base, p }),
  negate: (add, x) => add("multiply", { x, y: -1 }),
  less: asNumber("lt"),
  lessEqual: asNumber("lte"),
  greater: asNumber("gt"),
  greaterEqual: asNumber("gte"),
  equal: asNumber("eq"),
  notEqual: asNumber("neq"),
  sqrt: (add, x) => add("sqrt", { x }),
  abs: (add, x) => add("absolute", { x }),
  exp: (add, p) => add("exp", { p }),
  log: (add, x) => add("ln", { x }),
  log10: (add, x) => add("log", { x, base: 10 }),
  min: smaller,
  max: larger,
  clamp: (add, x, low, high) => smaller(add, larger(add, x, low), high),
  where: (add, condition, accept, reject) => add("if", { value: add("neq", { x: condition, y: 0 }), accept, reject }),
};

/**
 * A reducer over the dimension `bands` that computes band math.
 *
 * @param names - names that the expression may use, and the band that each means
 * @param bands - labels of the cube
 * @returns undefined where openEO's processes cannot say it
 */
export function mathGraph(
  text: string,
  names: Readonly<Record<string, string>>,
  bands: readonly string[],
): Graph | undefined {
  const known = Object.keys(names);
  const graph: Record<string, GraphNode> = {};
  const add: Add = (process, args) => {
    const node = `n${Object.keys(graph).length + 1}`;
    graph[node] = { process_id: process, arguments: args };
    return { from_node: node };
  };
  let expression: Expression;
  try {
    expression = parseExpression(text, known);
  } catch {
    return undefined; // the map says what is wrong with it
  }
  const registers: Operand[] = expression.inputs.map((input) =>
    add("array_element", {
      data: { from_parameter: "data" },
      index: bands.indexOf(names[known[input] ?? ""] ?? ""),
    }),
  );
  registers.push(...expression.constants);
  for (const { op, out, a, b, c } of expression.instructions) {
    const make = PROCESSES[op];
    if (make === undefined) return undefined;
    registers[out] = make(add, registers[a] ?? 0, registers[b] ?? 0, registers[c] ?? 0);
  }
  const result = registers[expression.result];
  if (typeof result !== "object" || !("from_node" in result)) return undefined;
  const last = graph[result.from_node];
  if (last !== undefined) graph[result.from_node] = { ...last, result: true };
  return graph;
}

/** Bands that expressions read, by the collection's names. */
export function bandsRead(texts: readonly string[], names: Readonly<Record<string, string>>): readonly string[] {
  const known = Object.keys(names);
  const read = texts.flatMap((text) => {
    try {
      return parseExpression(text, known).inputs.map((input) => names[known[input] ?? ""] ?? "");
    } catch {
      return [];
    }
  });
  return [...new Set(read)];
}
