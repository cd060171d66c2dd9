export { isProblemCode, PROBLEM_CODES, PROBLEMS, type ProblemCode, type ProblemKind, problemKind } from "./codes.ts";
export {
  PROBLEM_MEDIA_TYPE,
  Problem,
  type ProblemContext,
  problemHeaders,
  problemType,
  toProblem,
} from "./document.ts";
export { ProblemError, type ProblemOptions, type ProblemPointer } from "./error.ts";
export { zodMessage } from "./messages.ts";
export { type ProblemPage, problemPage } from "./page.ts";
export type {} from "./platform-types.ts";
export { type PointerOptions, pointersFromZod } from "./pointers.ts";
