import fc from "fast-check";
import { expect, test } from "vitest";
import { type Expression, Expressions } from "../../src/expression/expression.ts";
import { type FoldName, foldValues, OPERATIONS, type Operation } from "../../src/expression/operations.ts";
import { evaluateNumbers } from "../../src/expression/traversal.ts";
import { compileProgram, independentOutputs } from "../../src/program/program.ts";
import { runProgram } from "../../src/program/run-program.ts";

const PIXELS = 5;
const TIMES = 4;
const BANDS = 2;
const ARITY: Readonly<Record<number, readonly Operation[]>> = {
  1: ["sqrt", "ln", "exp", "absolute", "not", "is_nodata"],
  2: ["add", "subtract", "multiply", "divide", "power", "log", "eq", "neq", "lt", "lte", "gt", "gte", "and", "or"],
  3: ["clip", "if"],
};
const FOLDS: readonly FoldName[] = [
  "sum",
  "product",
  "min",
  "max",
  "mean",
  "variance",
  "sd",
  "count",
  "first",
  "last",
  "quantile",
];

/** Numbers that an expression is made of: each choice takes the next number. */
type Draft = readonly number[];
const drafts: fc.Arbitrary<readonly Draft[]> = fc.array(fc.array(fc.nat(1e6), { minLength: 6, maxLength: 6 }), {
  minLength: 1,
  maxLength: 25,
});
const values = fc.array(fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constant(Number.NaN)), {
  minLength: PIXELS * TIMES * BANDS,
  maxLength: PIXELS * TIMES * BANDS,
});

/** Expressions of inputs, constants and each other. */
function build(all: readonly Draft[], expressions: Expressions): readonly Expression[] {
  const made: Expression[] = [];
  for (let time = 0; time < TIMES; time++) {
    for (let band = 0; band < BANDS; band++) made.push(expressions.input({ load: 0, time, band }));
  }
  made.push(expressions.constant(0.5), expressions.nothing, expressions.constant(1, "boolean"));
  for (const [kind = 0, a = 0, b = 0, c = 0, d = 0, e = 0] of all) {
    const pick = (n: number): Expression => made[n % made.length]!;
    const arity = 1 + (kind % 4);
    if (arity === 4) {
      const name = FOLDS[a % FOLDS.length]!;
      const fold = { name, ignoresNodata: b % 2 === 0, ...(name === "quantile" ? { at: (b % 11) / 10 } : {}) };
      made.push(expressions.fold(fold, [pick(c), pick(d), pick(e), pick(c + e)].slice(0, 1 + (b % 4))));
    } else {
      const operations = ARITY[arity]!;
      made.push(
        expressions.operation(operations[a % operations.length]!, ...[pick(b), pick(c), pick(d)].slice(0, arity)),
      );
    }
  }
  return made;
}

/** Evaluates an expression at one pixel, straight from its definition. */
function atPixel(expression: Expression, pixel: number, samples: readonly number[]): number {
  const known = new Map<number, number>();
  const compute = (each: Expression): number => {
    const found = known.get(each.id);
    if (found !== undefined) return found;
    let value: number;
    if (each.kind === "constant") value = each.value;
    else if (each.kind === "input") value = sampleAt(samples, each.input.time, each.input.band, pixel);
    else if (each.kind === "operation") {
      const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = each.operands.map(compute);
      value = OPERATIONS[each.operation](x, y, z);
    } else if (each.kind === "fold") value = foldValues(each.fold, each.operands.map(compute));
    else throw new TypeError(each.kind);
    known.set(each.id, value);
    return value;
  };
  return compute(expression);
}

const sampleAt = (samples: readonly number[], time: number, band: number, pixel: number): number =>
  samples[(time * BANDS + band) * PIXELS + pixel]!;

async function runAll(outputs: readonly Expression[], samples: readonly number[]): Promise<readonly Float64Array[]> {
  const results: Float64Array[] = [];
  await runProgram(
    compileProgram(outputs, ({ time }) => time),
    {
      count: PIXELS,
      allocate: () => new Float64Array(PIXELS).fill(7),
      load: async (_, time, bands, into) => {
        bands.forEach(({ band }, i) => {
          for (let pixel = 0; pixel < PIXELS; pixel++) into[i]![pixel] = sampleAt(samples, time, band, pixel);
        });
      },
      region: () => new Uint8Array(PIXELS),
      emit: (output, found) => {
        results[output] = found.slice();
      },
    },
  );
  return results;
}

/** Sums of other orders differ by rounding, and what is made of them by more. */
function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b));
}

test("a program gives at each pixel what its expressions are there", async () => {
  await fc.assert(
    fc.asyncProperty(
      drafts,
      values,
      fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
      async (all, samples, picks) => {
        const made = build(all, new Expressions());
        const outputs = picks.map((pick) => made[made.length - 1 - (pick % made.length)]!);
        const results = await runAll(outputs, samples);
        outputs.forEach((output, i) => {
          for (let pixel = 0; pixel < PIXELS; pixel++) {
            const expected = atPixel(output, pixel, samples);
            const found = results[i]![pixel]!;
            // a comparison of numbers that differ by rounding may go either way: what is compared is checked elsewhere
            if (!isClose(found, expected) && dependsOnRounding(output)) continue;
            expect({ i, pixel, found: isClose(found, expected) ? expected : found }).toEqual({
              i,
              pixel,
              found: expected,
            });
          }
        });
      },
    ),
    { numRuns: 400 },
  );
});

/** Whether a fold that rounds is under an operation that is not continuous. */
function dependsOnRounding(expression: Expression): boolean {
  const rounds = (each: Expression): boolean =>
    (each.kind === "fold" && ["mean", "variance", "sd"].includes(each.fold.name)) ||
    ("operands" in each && each.operands.some(rounds));
  return rounds(expression);
}

test("a mean over time holds one time step at once, a median all", () => {
  const expressions = new Expressions();
  const series = Array.from({ length: 50 }, (_, time) => expressions.input({ load: 0, time, band: 0 }));
  const mean = expressions.fold({ name: "mean", ignoresNodata: true }, series);
  const median = expressions.fold({ name: "quantile", ignoresNodata: true, at: 0.5 }, series);
  expect(compileProgram([mean], ({ time }) => time).registers).toBe(3);
  expect(compileProgram([median], ({ time }) => time).registers).toBe(50);
});

test("outputs that share no time step are apart", () => {
  const expressions = new Expressions();
  const [a, b, c] = [0, 1, 2].map((time) => expressions.input({ load: 0, time, band: 0 })) as [
    Expression,
    Expression,
    Expression,
  ];
  const sum = expressions.operation("add", a, c);
  expect(independentOutputs([a, b, sum, expressions.constant(1)])).toEqual([[0, 2], [1], [3]]);
});

test("numbers of areas are what further numbers are made of", () => {
  const expressions = new Expressions();
  const of = expressions.input({ load: 0, time: 0, band: 0 });
  const mean = expressions.reduced({ name: "mean", ignoresNodata: true }, of, 0);
  const double = expressions.operation("multiply", mean, expressions.constant(2));
  const lost = expressions.reduced({ name: "max", ignoresNodata: true }, of, 1);
  const found = evaluateNumbers([double, lost, expressions.constant(3)], new Map([[mean.id, 21]]));
  expect(found).toEqual([42, Number.NaN, 3]);
});
