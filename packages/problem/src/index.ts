export { PROBLEM_MEDIA_TYPE, Problem, type ProblemContext, problemHeaders, toProblem } from "./document.ts";
export { ProblemError, type ProblemOptions, type ProblemPointer } from "./error.ts";
export { type ProblemErrors, type ProblemKind, problemErrors } from "./kinds.ts";
export { zodMessage } from "./messages.ts";
export type {} from "./platform-types.ts";
export { type PointerOptions, pointersFromZod } from "./pointers.ts";
