/** One observation of a curve. */
export interface CurvePoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `null`, NaN and infinite: a gap. */
  readonly value: number | null;
}

/** An observation with a value. */
export interface CurveValue extends CurvePoint {
  readonly value: number;
}

/** Whether an observation has a value. */
export const hasValue = (point: CurvePoint): point is CurveValue =>
  point.value !== null && Number.isFinite(point.value);

/** The value, or `null` for what JSON has no number for. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Indices of the first and the last observation with a value; `undefined` where none has one. */
export function extentOf(points: readonly CurvePoint[]): readonly [first: number, last: number] | undefined {
  const first = points.findIndex(hasValue);
  return first === -1 ? undefined : [first, points.findLastIndex(hasValue)];
}
