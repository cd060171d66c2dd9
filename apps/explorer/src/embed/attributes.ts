import { ApiError } from "../api/api-error.ts";
import { isDay } from "../view/compare-view.ts";

/** The attributes of an element by their names; absent ones are null. */
export type Attributes = (name: string) => string | null;

/** The fault of an attribute, in the words that the element shows in its place. */
export function attributeFault(name: string, expected: string): ApiError {
  return new ApiError({ title: "This part of the page is not set up yet", detail: `${name}: ${expected}` });
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** @throws {ApiError} where an attribute is neither a day nor two */
export function daysOf(attributes: Attributes, name: string): Days {
  const [from, to = from] = (attributes(name) ?? "").trim().split("/");
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  throw attributeFault(name, "expected a day, 2023-05-06, or the first and the last one, 2023-05-06/2023-05-16.");
}

/** @throws {ApiError} where an attribute is no number between limits; undefined where it is absent */
export function numberOf(attributes: Attributes, name: string, least: number, most: number): number | undefined {
  const text = attributes(name)?.trim();
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw attributeFault(name, `expected a number from ${least} to ${most}.`);
}
