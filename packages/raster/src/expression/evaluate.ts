import { GridError } from "../errors.ts";
import type { Samples } from "../raster/samples.ts";
import type { Expression, Instruction } from "./expression.ts";

/** Values per chunk: a handful of registers of 8 KB each stay in the first-level cache. */
const CHUNK = 1024;

/**
 * Computes an expression for every pixel, in double precision. `bands` are those that the expression was parsed with.
 * A pixel is valid where `valid` says so and the result is finite; elsewhere its value is NaN.
 *
 * @param values takes the results, one per pixel; float32 unless another array is given
 * @throws {GridError} `invalid-size` where a band is missing or has another length than `valid`.
 */
export function evaluateExpression<T extends Float32Array | Float64Array = Float32Array>(
  expression: Expression,
  bands: readonly Samples[],
  valid: Uint8Array,
  values: T = new Float32Array(valid.length) as unknown as T,
): { values: T; valid: Uint8Array } {
  const count = valid.length;
  const outValid = new Uint8Array(count);
  evaluateChunks(expression, bands, count, (result, start, n) => finish(result, valid, values, outValid, start, n));
  return { values, valid: outValid };
}

/**
 * Computes a chunk of values after the other and hands each over; the next one overwrites it.
 *
 * @throws {GridError} as `evaluateExpression`.
 */
export function evaluateChunks(
  expression: Expression,
  bands: readonly Samples[],
  count: number,
  use: (result: Float64Array, start: number, n: number) => void,
): void {
  const inputs = expression.inputs.map((index) => {
    const band = bands[index];
    if (band === undefined || band.length !== count) {
      throw new GridError(
        "invalid-size",
        `Expected band ${index} with ${count} values, got ${band?.length ?? "none"}.`,
      );
    }
    return band;
  });
  const registers = Array.from({ length: expression.registers }, () => new Float64Array(CHUNK));
  expression.constants.forEach((value, i) => {
    registers[inputs.length + i]?.fill(value);
  });
  const result = registers[expression.result]!;
  for (let start = 0; start < count; start += CHUNK) {
    const n = Math.min(CHUNK, count - start);
    // set() converts any sample type natively, so that the loops below see one array class only
    for (let i = 0; i < inputs.length; i++) registers[i]!.set(inputs[i]!.subarray(start, start + n));
    for (const instruction of expression.instructions) run(instruction, registers, n);
    use(result, start, n);
  }
}

function finish(
  result: Float64Array,
  valid: Uint8Array,
  values: Float32Array | Float64Array,
  outValid: Uint8Array,
  start: number,
  n: number,
): void {
  const isSingle = values instanceof Float32Array;
  for (let i = 0; i < n; i++) {
    const value = isSingle ? Math.fround(result[i]!) : result[i]!;
    const keep = valid[start + i] !== 0 && value - value === 0; // a difference that is 0 only for finite numbers
    values[start + i] = keep ? value : Number.NaN;
    outValid[start + i] = keep ? 1 : 0;
  }
}

function run(instruction: Instruction, registers: readonly Float64Array[], n: number): void {
  const out = registers[instruction.out]!;
  const a = registers[instruction.a]!;
  const b = registers[instruction.b]!;
  const c = registers[instruction.c]!;
  switch (instruction.op) {
    case "add":
      for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!;
      break;
    case "subtract":
      for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!;
      break;
    case "multiply":
      for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!;
      break;
    case "divide":
      for (let i = 0; i < n; i++) out[i] = a[i]! / b[i]!;
      break;
    case "power":
      for (let i = 0; i < n; i++) out[i] = a[i]! ** b[i]!;
      break;
    case "negate":
      for (let i = 0; i < n; i++) out[i] = -a[i]!;
      break;
    case "less":
      for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? 1 : 0;
      break;
    case "lessEqual":
      for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? 1 : 0;
      break;
    case "greater":
      for (let i = 0; i < n; i++) out[i] = a[i]! > b[i]! ? 1 : 0;
      break;
    case "greaterEqual":
      for (let i = 0; i < n; i++) out[i] = a[i]! >= b[i]! ? 1 : 0;
      break;
    case "equal":
      for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0;
      break;
    case "notEqual":
      for (let i = 0; i < n; i++) out[i] = a[i] !== b[i] ? 1 : 0;
      break;
    case "sqrt":
      for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]!);
      break;
    case "abs":
      for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!);
      break;
    case "exp":
      for (let i = 0; i < n; i++) out[i] = Math.exp(a[i]!);
      break;
    case "log":
      for (let i = 0; i < n; i++) out[i] = Math.log(a[i]!);
      break;
    case "log10":
      for (let i = 0; i < n; i++) out[i] = Math.log10(a[i]!);
      break;
    case "floor":
      for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]!);
      break;
    case "ceil":
      for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]!);
      break;
    case "min":
      for (let i = 0; i < n; i++) out[i] = Math.min(a[i]!, b[i]!);
      break;
    case "max":
      for (let i = 0; i < n; i++) out[i] = Math.max(a[i]!, b[i]!);
      break;
    case "clamp":
      for (let i = 0; i < n; i++) out[i] = Math.min(Math.max(a[i]!, b[i]!), c[i]!);
      break;
    case "where":
      for (let i = 0; i < n; i++) out[i] = a[i] !== 0 ? b[i]! : c[i]!;
      break;
  }
}
