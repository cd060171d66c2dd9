import { ARRAY_DEFINITIONS } from "./arrays.ts";
import { CUBE_DEFINITIONS } from "./cubes.ts";
import type { ProcessDefinition } from "./definition.ts";
import { LABEL_DEFINITIONS } from "./labels-and-files.ts";
import { LOAD_DEFINITIONS } from "./load-and-filter.ts";
import { MATH_DEFINITIONS } from "./math.ts";

/** The processes that are served, as openEO defines them, with the parameters that work. */
export const PROCESS_DEFINITIONS: readonly ProcessDefinition[] = [
  ...LOAD_DEFINITIONS,
  ...CUBE_DEFINITIONS,
  ...LABEL_DEFINITIONS,
  ...ARRAY_DEFINITIONS,
  ...MATH_DEFINITIONS,
];
