import { OpenEoError } from "./errors.ts";

/** Work that compiling one graph may take: some 20 ms of a processor of 2024. */
const MAX_WORK = 1_200_000;

/** Costs of the parts of compiling, in units of about 10 ns. */
export const WORK = {
  /** To run a node once. */
  node: 40,
  /** To make or find an expression, without its operands. */
  expression: 10,
  /** An operand of an expression. */
  operand: 1,
  /** An item of an array that a process is given. */
  item: 2,
  /** A cell of a cube that a process is given or gives, for each dimension of the cube. */
  cell: 2,
  /** A vertex of a geometry. */
  vertex: 60,
} as const;

/** The work of compiling one graph, so that nobody's graph keeps the others waiting. */
export class Work {
  #done = 0;

  /**
   * Adds to the work done.
   *
   * @throws {OpenEoError} `ProcessGraphComplexity` where it is more than a graph may take.
   */
  spend(units: number): void {
    this.#done += units;
    if (this.#done <= MAX_WORK) return;
    const message =
      "The graph runs too many processes, or on too many values: ask for less time, fewer bands or simpler geometries.";
    throw new OpenEoError("ProcessGraphComplexity", message);
  }
}
