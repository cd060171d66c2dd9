import * as z from "zod";

/** Bins of a histogram at most. */
const MAX_BINS = 10_000;
/** Farther than any value is: sums and differences of edges stay numbers. */
const FARTHEST_EDGE = 1e300;
const edge = z.number().min(-FARTHEST_EDGE).max(FARTHEST_EDGE);

const Histogram = z
  .strictObject({
    nBins: z.int().min(1).max(MAX_BINS).optional().meta({ description: "So many bins of equal width." }),
    binWidth: z
      .number()
      .positive()
      .max(FARTHEST_EDGE)
      .optional()
      .meta({ description: "Bins of this width, in the unit of the output." }),
    bins: z
      .array(edge)
      .min(2)
      .max(MAX_BINS + 1)
      .optional()
      .meta({ description: "Edges of the bins, ascending, in the unit of the output." }),
    lowEdge: edge.optional().meta({ description: "Default: the smallest value of the interval." }),
    highEdge: edge.optional().meta({ description: "Default: the largest value of the interval." }),
  })
  .meta({ id: "HistogramSettings", description: "One of `nBins`, `binWidth` and `bins`." });

/** Calculations of statistics for an output besides moments and extremes. */
export const Calculation = z
  .strictObject({
    percentiles: z
      .array(z.number().min(0).max(100))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Percent of the values that are below." }),
    histogram: Histogram.optional(),
  })
  .meta({ id: "Calculation" });
export type Calculation = z.infer<typeof Calculation>;
