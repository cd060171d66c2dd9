import { isProblemCode, type ProblemCode, problemKind } from "./codes.ts";

/** The texts of the page behind a problem's `type`. Plain text; backticks mark names. */
export interface ProblemPage {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly description: string;
  readonly remedy: string;
}

/** Facts for the page `/problems/{code}`; `undefined` when there is no such code. */
export function problemPage(code: string): ProblemPage | undefined {
  if (!isProblemCode(code)) return undefined;
  const { status, title, description, remedy } = problemKind(code);
  return { code, status, title, description, remedy };
}
