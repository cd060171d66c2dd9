import { memoized } from "../memoized.ts";

/** A number, 0 to 255, for each stored sample of a mask band, 0 to 65,535. */
export interface ClassNumbers {
  /** Numbers of the first samples, from 0; at least one. */
  readonly numbers: readonly number[];
  /** The number of all further samples; `repeat`: they begin again, since bits beyond have no meaning. */
  readonly beyond: number | "repeat";
  /** The number where no scene holds data. */
  readonly missing: number;
}

const SAMPLES = 65_536;
const MAX_TABLES = 64;

/** Stored sample, 0 to 65,535, to its number. */
export const classNumbersTable = memoized(
  MAX_TABLES,
  ({ numbers, beyond }: ClassNumbers): Uint8Array =>
    Uint8Array.from({ length: SAMPLES }, (_, sample) =>
      beyond === "repeat" ? (numbers[sample % numbers.length] as number) : (numbers[sample] ?? beyond),
    ),
);
