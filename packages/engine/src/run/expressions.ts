import { parseExpression } from "@swath/raster";
import { memoized } from "./memoized.ts";

const MAX_KEPT = 256;

/** Parses an expression once. @throws {ExpressionError} */
export const parseOnce = memoized(MAX_KEPT, parseExpression);
