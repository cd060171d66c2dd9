import type { Damage } from "./cases.ts";
import type { Ended, Line } from "./run.ts";

/**
 * The outcome of a case: the same pixels (`right`), an error (`refused`), other pixels (`wrong`, or `warned` where the
 * reader said something), an error of another class, the end of the process; `unjudged` where the undamaged file has no
 * pixels.
 */
export type Outcome = "right" | "refused" | "wrong" | "warned" | "untyped" | "crash" | "hang" | "unjudged";

/** Returns the outcomes of the cases of a file, in their order. */
export function outcomesOf(results: readonly (Line | Ended)[]): Outcome[] {
  const [undamaged, ...cases] = results;
  const good = undamaged !== undefined && "digest" in undamaged ? undamaged.digest : undefined;
  return cases.map((result) => {
    if ("ended" in result) return result.ended;
    if (result.untyped !== undefined) return "untyped";
    if (result.error !== undefined) return "refused";
    const expected = result.expected ?? good;
    if (expected === undefined) return "unjudged";
    if (result.digest === expected) return "right";
    return result.said === undefined ? "wrong" : "warned";
  });
}

/** Counts of outcomes by kind of damage, and of all. */
export class Tally {
  readonly rows: Record<string, Partial<Record<Outcome, number>>> = {};

  add(damages: readonly Damage[], outcomes: readonly Outcome[]): void {
    outcomes.forEach((outcome, i) => {
      for (const kind of [damages[i]!.kind, "all"]) {
        const row = this.rows[kind] ?? {};
        this.rows[kind] = row;
        row[outcome] = (row[outcome] ?? 0) + 1;
      }
    });
  }

  of(outcome: Outcome): number {
    return this.rows.all?.[outcome] ?? 0;
  }

  get total(): number {
    return Object.values(this.rows.all ?? {}).reduce((sum, count) => sum + count, 0);
  }
}
