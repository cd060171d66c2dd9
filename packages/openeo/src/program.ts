export type { BandTarget, Program, Step } from "./program/program.ts";
export { type ProgramContext, runProgram } from "./program/run-program.ts";
