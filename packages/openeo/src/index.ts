export type { BandInfo, Dimension, Label } from "./cube/cube.ts";
export type { Align, AskedPixels, GridRequest, SpatialExtent } from "./cube/grid-request.ts";
export type { LoadRequest, PropertyFilter } from "./cube/load.ts";
export type { ProcessDefinition, ProcessParameter } from "./definitions/definition.ts";
export { PROCESS_DEFINITIONS } from "./definitions/definitions.ts";
export { OpenEoError, type OpenEoErrorCode } from "./errors.ts";
export type { Expression, Input, ResampleMethod } from "./expression/expression.ts";
export type { Fold, FoldName, Operation } from "./expression/operations.ts";
export { evaluateNumbers, inOrder } from "./expression/traversal.ts";
export type { CollectionInfo, CompileContext } from "./interpreter/compilation.ts";
export { type CubePlan, compileGraph, findFaults, type PlannedLoad } from "./plan.ts";
export type { PlannedArea, PlannedGrid, PlannedResult } from "./planned-grids.ts";
export {
  compileProgram,
  type InputOf,
  independentOutputs,
  type Program,
  type ResampledExpression,
  type Step,
} from "./program/program.ts";
