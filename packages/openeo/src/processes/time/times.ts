import type { Dimension, Label } from "../../cube/cube.ts";
import { OpenEoError } from "../../errors.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import { fromJson } from "../../interpreter/values.ts";
import { shown } from "../../json.ts";

/** A time with its zone, or a date alone: its first moment, UTC. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * A temporal interval: up to and without its end; `null` is open.
 *
 * @throws {OpenEoError} `TemporalExtentEmpty` where the end is not after the start.
 */
export function intervalOf(given: Arguments, name: string, value: unknown): readonly [number | null, number | null] {
  if (!Array.isArray(value) || value.length !== 2) throw given.invalid(name, "an array of start and end");
  const [start = null, end = null] = value.map((moment: unknown) => momentOf(given, name, moment));
  if (start === null && end === null) throw given.invalid(name, "an interval with a start or an end", null);
  if (start !== null && end !== null && end <= start) {
    const message = `${name}: expected an end after the start, got ${value.map(shown).join(" and ")}.`;
    throw new OpenEoError("TemporalExtentEmpty", message, { path: given.invalid(name, "").path });
  }
  return [start, end];
}

function momentOf(given: Arguments, name: string, value: unknown): number | null {
  if (value === null) return null;
  const time =
    typeof value === "string" && MOMENT.test(value) ? Date.parse(value.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw given.invalid(name, "RFC 3339 dates or date-times with zone, or null", fromJson(value));
}

/** The time that a label of a temporal dimension stands for; NaN where it stands for none. */
export function labelTime({ starts }: Pick<Dimension, "starts">, label: Label): number {
  const start = starts?.get(label);
  if (start !== undefined) return start;
  const text = String(label);
  return /^\d{4}(?:-\d{2}){0,2}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
}
