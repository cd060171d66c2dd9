import { mapLimited } from "@swath/http";
import { type Dimension, evaluateNumbers, type Fold, type PlannedResult } from "@swath/openeo";
import type { NumbersWork } from "../../job/cube-plan.ts";
import type { EngineParts } from "../../parts.ts";
import { toCsvText } from "../../result/csv.ts";
import type { ReducedOutput, SkippedScene } from "../../run/compute/compute-job.ts";

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
  await mapLimited(areas, AREAS_AT_ONCE, async (area) => {
    const { groups } = await renderer.compute(area.job, { signal });
    for (const [i, group] of groups.entries()) {
      for (const id of group.used) used.add(id);
      for (const scene of group.skipped) skipped.set(scene.id, scene);
      for (const [output, numbers] of group.outputs.entries()) {
        const quantiles = [...(numbers.percentiles ?? [])];
        for (const { id, fold } of area.reduced[i]![output]!) {
          reduced.set(id, foldOf(numbers, fold, fold.name === "quantile" ? quantiles.shift() : undefined));
        }
      }
    }
  });
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

/**
 * A fold of the pixels of an area, from their moments, squares and extremes.
 *
 * @param quantile of the values there are, for a fold that is one
 */
function foldOf(
  { count, pixels, sum, mean, min, max, squares = Number.NaN }: ReducedOutput,
  { name, ignoresNodata }: Fold,
  quantile: number | null | undefined,
): number {
  if (name === "count") return count;
  if (count === 0 || (!ignoresNodata && count < pixels)) return Number.NaN;
  const variance = squares / (count - 1);
  const values: Partial<Record<Fold["name"], number | null | undefined>> = {
    sum,
    mean,
    min,
    max,
    variance,
    quantile,
    sd: Math.sqrt(variance),
  };
  const value = values[name];
  if (value === undefined || value === null) throw new TypeError(`Pixels of an area have no ${name}.`);
  return value;
}

/** Returns the rows and columns of a cube of numbers: by time, then geometry; other labels are joined to names. */
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
      ...columns.map((_, column) => values[cell(t, g, column)]),
    ]),
  );
  return toCsvText([...(hasTime ? ["date"] : []), "feature_index", ...columns], rows);
}
