/** Points of a function of time that is linear between them and constant beyond: day and value, days ascending. */
export type Curve = readonly (readonly [day: number, value: number])[];

export function valueAt(curve: Curve, day: number): number {
  const next = curve.findIndex(([at]) => at > day);
  if (next === 0) return curve[0]![1];
  const [before, value] = curve.at(next === -1 ? -1 : next - 1)!;
  if (next === -1) return value;
  const [after, then] = curve[next]!;
  return value + ((then - value) * (day - before)) / (after - before);
}

/** Whole days since 1970-01-01 of an ISO date. */
export function dayOf(date: string): number {
  return Math.floor(Date.parse(date) / 86_400_000);
}

/** The days of an ISO date's curve: dates become day numbers. */
export function curveOf(points: readonly (readonly [date: string, value: number])[]): Curve {
  return points.map(([date, value]) => [dayOf(date), value]);
}

/** Year of a day, and the days since its first of January. */
export function yearDay(day: number): readonly [year: number, days: number] {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  return [year, day - dayOf(`${year}-01-01`)];
}
