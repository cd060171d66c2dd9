import type { ServiceTool } from "../tool.ts";
import { collections } from "./collections.ts";
import { render } from "./render.ts";
import { search } from "./search.ts";
import { statistics } from "./statistics.ts";
import { timeseries } from "./timeseries.ts";

/** The tools, in the order in which they are listed. */
export const TOOLS: readonly ServiceTool[] = [collections, search, render, timeseries, statistics];
