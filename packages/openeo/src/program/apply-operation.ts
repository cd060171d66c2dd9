import { OPERATIONS, type Operation } from "../expression/operations.ts";

/**
 * An operation for each pixel. The result may stand in an operand's own memory.
 *
 * The four that indices are made of have loops of their own: the others cost a call per pixel.
 */
export function applyOperation(
  operation: Operation,
  out: Float64Array,
  operands: readonly Float64Array[],
  count: number,
): void {
  const [a = out, b = out, c = out] = operands;
  switch (operation) {
    case "add":
      for (let i = 0; i < count; i++) out[i] = a[i]! + b[i]!;
      break;
    case "subtract":
      for (let i = 0; i < count; i++) out[i] = a[i]! - b[i]!;
      break;
    case "multiply":
      for (let i = 0; i < count; i++) out[i] = a[i]! * b[i]!;
      break;
    case "divide":
      for (let i = 0; i < count; i++) out[i] = a[i]! / b[i]!;
      break;
    case "if":
      for (let i = 0; i < count; i++) out[i] = a[i] === 1 ? b[i]! : c[i]!;
      break;
    case "eq":
      for (let i = 0; i < count; i++) {
        const [x, y] = [a[i]!, b[i]!];
        out[i] = Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x === y ? 1 : 0;
      }
      break;
    case "or":
      for (let i = 0; i < count; i++) {
        const [x, y] = [a[i]!, b[i]!];
        out[i] = x === 1 || y === 1 ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0;
      }
      break;
    default: {
      const compute: (x: number, y: number, z: number) => number = OPERATIONS[operation];
      for (let i = 0; i < count; i++) out[i] = compute(a[i]!, b[i]!, c[i]!);
    }
  }
}
