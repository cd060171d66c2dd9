import { ProblemError, type ProblemOptions } from "./error.ts";

/** The meaning of a problem code. */
export interface ProblemKind {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Short summary, the same for every occurrence (RFC 9457, 3.1.3). */
  readonly title: string;
  /** Describes the cases of this problem in one or two sentences, for the page behind `type`. */
  readonly description: string;
  /** Advice for the caller. */
  readonly remedy: string;
}

/** The class of errors that {@link problemErrors} makes; its instances have the codes of the table. */
export interface ProblemErrors<Code extends string> {
  new (code: Code, detail: string, options?: ProblemOptions): ProblemError<Code>;
}

/**
 * Makes an error class from a service's own table of problems: its errors are made by their codes alone.
 *
 * @param kinds by code, which is the last segment of the problem's `type`: lower-case letters, digits and hyphens.
 * @throws {RangeError} for a code that no address can have, or a status that is no error.
 * @example class ServiceProblem extends problemErrors({ "too-slow": { status: 504, title: "Too slow", description: "...", remedy: "..." } }) {}
 */
export function problemErrors<const T extends Readonly<Record<string, ProblemKind>>>(
  kinds: T,
): ProblemErrors<keyof T & string> {
  type Code = keyof T & string;
  for (const [code, { status }] of Object.entries(kinds)) {
    if (!/^[a-z0-9-]+$/.test(code)) throw new RangeError(`"${code}" is no code: expected a-z, 0-9 and hyphens.`);
    if (!(status >= 400 && status <= 599))
      throw new RangeError(`${code}: expected a status of 400 to 599, got ${status}.`);
  }
  return class extends ProblemError<Code> {
    constructor(code: Code, detail: string, options: ProblemOptions = {}) {
      super(code, kinds[code] as ProblemKind, detail, options);
    }
  };
}
