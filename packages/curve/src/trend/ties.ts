/** Returns how many there are of each value that several neighbours share; `sorted` has equal ones side by side. */
export function tieLengths<T>(sorted: readonly T[], isEqual: (a: T, b: T) => boolean): number[] {
  const lengths: number[] = [];
  let start = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && isEqual(sorted[start]!, sorted[i]!)) continue;
    if (i - start > 1) lengths.push(i - start);
    start = i;
  }
  return lengths;
}

/** Sums a function of the lengths of ties. */
export const tieSum = (ties: readonly number[], of: (length: number) => number): number =>
  ties.reduce((sum, length) => sum + of(length), 0);
