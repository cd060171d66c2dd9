import { type Dimension, evaluateNumbers, type Fold, type PlannedResult } from "@swath/openeo";
import type { NumbersWork } from "../job/cube-plan.ts";
import type { EngineParts } from "../parts.ts";
import type { PartialNumbers } from "../run/partial-numbers.ts";
import type { SkippedScene } from "../run/reduce-job.ts";
import { percentilesOf } from "../run/sorted-values.ts";

/** Areas that are computed at the same time. */
const AREAS_AT_ONCE = 4;

/** Reduces every area, and computes and writes what is made of the numbers. */
export async function computeNumbers(
  { renderer }: Pick<EngineParts, "renderer">,
  { dimensions, cells, format }: Extract<PlannedResult, { kind: "numbers" }>,
  { areas }: NumbersWork,
  { signal }: { readonly signal: AbortSignal },
) {
  const reduced = new Map<number, number>();
  const used = new Set<string>();
  const skipped = new Map<string, SkippedScene>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let area = areas[next++]; area !== undefined; area = areas[next++]) {
      const result = await renderer.cube(area.job, { signal });
      for (const id of result.used) used.add(id);
      for (const scene of result.skipped) skipped.set(scene.id, scene);
      for (const [task, outputs] of area.reduced.entries()) {
        for (const [output, expressions] of outputs.entries()) {
          const numbers = result.numbers[task]?.[output];
          for (const { id, fold } of expressions) {
            reduced.set(id, numbers === undefined ? Number.NaN : foldOf(numbers, fold));
          }
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AREAS_AT_ONCE }, work));
  const values = evaluateNumbers(cells, reduced).map((value, i) => jsonValue(value, cells[i]!.type === "boolean"));
  const text = format === "CSV" ? toCsv(dimensions, values) : JSON.stringify(toRows(dimensions, values));
  return {
    mediaType: format === "CSV" ? "text/csv; charset=utf-8; header=present" : "application/json",
    content: { bytes: new TextEncoder().encode(text) },
    filename: format === "CSV" ? "result.csv" : "result.json",
    used,
    skipped: [...skipped.values()],
  };
}

type Cell = number | boolean | null;

/** JSON has no NaN and no infinity. */
function jsonValue(value: number, isBoolean: boolean): Cell {
  if (!Number.isFinite(value)) return null;
  return isBoolean ? value === 1 : value;
}

/** A fold from the numbers of an area. */
export function foldOf(numbers: PartialNumbers, { name, ignoresNodata, at = 0.5 }: Fold): number {
  const { count, pixels } = numbers;
  if (name === "count") return count;
  if (count === 0 || (!ignoresNodata && count < pixels)) return Number.NaN;
  switch (name) {
    case "sum":
      return numbers.sum;
    case "mean":
      return numbers.mean;
    case "min":
      return numbers.min;
    case "max":
      return numbers.max;
    case "variance":
      return numbers.squares / (count - 1);
    case "sd":
      return Math.sqrt(numbers.squares / (count - 1));
    case "quantile":
      return percentilesOf(numbers.sorted!, [100 * at])[0] ?? Number.NaN;
    default:
      throw new TypeError(`Pixels of an area have no ${name}.`);
  }
}

/** What the rows and columns of a cube of numbers are: by time, then geometry; the rest is joined to names. */
function layoutOf(dimensions: readonly Dimension[]) {
  const time = dimensions.findIndex(({ type }) => type === "temporal");
  const geometry = dimensions.findIndex(({ type }) => type === "geometry");
  const others = dimensions.flatMap((_, i) => (i === time || i === geometry ? [] : [i]));
  const labels = (index: number): readonly (string | number)[] => dimensions[index]?.labels ?? [""];
  const names = others.reduce<readonly string[]>(
    (all, index) =>
      all.flatMap((name) => labels(index).map((label) => (name === "" ? String(label) : `${name}_${label}`))),
    [""],
  );
  const strides = dimensions.map((_, i) =>
    dimensions.slice(i + 1).reduce((product, { labels: own }) => product * own.length, 1),
  );
  const cell = (t: number, g: number, column: number): number => {
    let rest = column;
    let at = (time < 0 ? 0 : t * strides[time]!) + (geometry < 0 ? 0 : g * strides[geometry]!);
    for (const index of [...others].reverse()) {
      const count = dimensions[index]!.labels.length;
      at += (rest % count) * strides[index]!;
      rest = Math.floor(rest / count);
    }
    return at;
  };
  return { time: labels(time), geometries: labels(geometry), names, cell, hasTime: time >= 0 };
}

/** By time, where there is any, an array of geometries, each an array of values. */
function toRows(dimensions: readonly Dimension[], values: readonly Cell[]): unknown {
  const { time, geometries, names, cell, hasTime } = layoutOf(dimensions);
  const rowsAt = (t: number) => geometries.map((_, g) => names.map((__, column) => values[cell(t, g, column)] ?? null));
  return hasTime ? Object.fromEntries(time.map((label, t) => [label, rowsAt(t)])) : rowsAt(0);
}

/** A row for each date and geometry (RFC 4180). */
function toCsv(dimensions: readonly Dimension[], values: readonly Cell[]): string {
  const { time, geometries, names, cell, hasTime } = layoutOf(dimensions);
  const columns = names.map((name) => (name === "" ? "value" : name));
  const rows = time.flatMap((label, t) =>
    geometries.map((geometry, g) => [
      ...(hasTime ? [label] : []),
      geometry,
      ...columns.map((_, column) => values[cell(t, g, column)] ?? ""),
    ]),
  );
  const header = [...(hasTime ? ["date"] : []), "feature_index", ...columns];
  return [header, ...rows].map((row) => `${row.map((field) => quoted(String(field))).join(",")}\r\n`).join("");
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
