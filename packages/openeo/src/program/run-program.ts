import { type Fold, quantileOf } from "../expression/operations.ts";
import { applyOperation } from "./apply-operation.ts";
import { beginFold, endFold, takeValue } from "./folds.ts";
import type { BandTarget, Program } from "./program.ts";

/** The inputs of a running program. */
export interface ProgramContext {
  /** Values per register: the pixels of the strip. */
  readonly count: number;
  /** Memory for a register, whose values may be anything. */
  readonly allocate: () => Float64Array;
  /** Reads bands of a time step, NaN where there is no data, into `into`: one array per band. */
  readonly load: (
    load: number,
    time: number,
    bands: readonly BandTarget[],
    into: readonly Float64Array[],
  ) => Promise<void>;
  /** 1 where a pixel's centre is in the region, else 0. */
  readonly region: (region: number) => Uint8Array;
  /** Takes an output; `values` are used again once this has returned. */
  readonly emit: (output: number, values: Float64Array) => void;
}

/** Runs a program on the pixels of a strip. */
export async function runProgram(
  program: Program,
  { count, allocate, load, region, emit }: ProgramContext,
): Promise<void> {
  const registers: (Float64Array | undefined)[] = [];
  const register = (number: number): Float64Array => {
    registers[number] ??= allocate();
    return registers[number];
  };
  for (const step of program.steps) {
    switch (step.kind) {
      case "load":
        await load(
          step.load,
          step.time,
          step.bands,
          step.bands.map((band) => register(band.register)),
        );
        break;
      case "constant":
        register(step.out).fill(step.value);
        break;
      case "region":
        register(step.out).set(region(step.region));
        break;
      case "apply":
        applyOperation(step.operation, register(step.out), step.operands.map(register), count);
        break;
      case "begin":
        beginFold(step.fold, step.state.map(register), register(step.value), count);
        break;
      case "take":
        takeValue(step.fold, step.state.map(register), register(step.value), count);
        break;
      case "end":
        endFold(step.fold, step.state.map(register), count);
        break;
      case "gather":
        gather(step.fold, register(step.out), step.values.map(register), count);
        break;
      case "emit":
        emit(step.output, register(step.from));
        break;
    }
  }
}

/** A quantile of the values of each pixel. */
function gather(
  { ignoresNodata, at = 0.5 }: Fold,
  out: Float64Array,
  values: readonly Float64Array[],
  count: number,
): void {
  const found = new Float64Array(values.length);
  for (let i = 0; i < count; i++) {
    let kept = 0;
    for (const each of values) {
      const value = each[i]!;
      if (!Number.isNaN(value)) found[kept++] = value;
    }
    if (kept === 0 || (!ignoresNodata && kept < values.length)) {
      out[i] = Number.NaN;
      continue;
    }
    found.subarray(0, kept).sort();
    out[i] = quantileOf(found, kept, at);
  }
}
