import { ANY, CONTEXT, callback, define, NUMBER, NUMBERS, type ProcessDefinition, parameter } from "./definition.ts";

const DATA = parameter("data", "An array of numbers.", NUMBERS);
const IGNORE = parameter(
  "ignore_nodata",
  "Whether no-data values are left out; else one of them makes the result no data.",
  { type: "boolean" },
  { default: true },
);

function reducer(id: string, summary: string, description: string): ProcessDefinition {
  return define(
    id,
    ["reducer", "math"],
    summary,
    `${description} No data of an array without values.`,
    [DATA, IGNORE],
    {
      description: "The result.",
      schema: NUMBER,
    },
  );
}

/** Definitions of processes on arrays. */
export const ARRAY_DEFINITIONS: readonly ProcessDefinition[] = [
  define(
    "array_element",
    ["arrays", "reducer"],
    "An element of an array",
    "The element at an index, from 0, or with a label. Bands are found by their common name too.",
    [
      parameter("data", "An array.", { type: "array", items: ANY }),
      parameter("index", "The index, from 0; instead of `label`.", { type: "integer" }, { default: null }),
      parameter("label", "The label; instead of `index`.", [{ type: "number" }, { type: "string" }], { default: null }),
      parameter(
        "return_nodata",
        "Whether the result is no data where there is no such element, instead of an error.",
        { type: "boolean" },
        { default: false },
      ),
    ],
    { description: "The element.", schema: ANY },
    {
      ArrayElementNotAvailable: "The array has no element with the index or label.",
      ArrayElementParameterMissing: "Either `index` or `label` is needed.",
      ArrayElementParameterConflict: "`index` and `label` cannot both be given.",
    },
  ),
  reducer("first", "First element", "The first element that is not no data."),
  reducer("last", "Last element", "The last element that is not no data."),
  reducer("mean", "Arithmetic mean", "The sum divided by the number of values."),
  reducer("median", "Median", "The value in the middle, or the mean of the two there."),
  reducer("min", "Minimum", "The least value."),
  reducer("max", "Maximum", "The greatest value."),
  reducer("sum", "Sum", "The sum of the values."),
  reducer("product", "Product", "The product of the values. Not of the pixels of an area."),
  reducer("sd", "Standard deviation", "The standard deviation of a sample: the square root of the variance."),
  reducer("variance", "Variance", "The variance of a sample: divided by the number of values less 1."),
  define(
    "count",
    ["arrays", "reducer"],
    "Number of elements",
    "How many elements are valid, how many there are (`true`), or for how many a condition holds.",
    [
      parameter("data", "An array.", { type: "array", items: ANY }),
      parameter(
        "condition",
        "`true` for all elements, or a process graph that says whether one counts.",
        [
          callback([["x", "The element.", ANY]], { type: "boolean" }),
          { type: "boolean", const: true, title: "All elements" },
          { type: "null", title: "Valid elements" },
        ],
        { default: null },
      ),
      CONTEXT,
    ],
    { description: "The number.", schema: { type: "number" } },
  ),
  define(
    "quantiles",
    ["math"],
    "Quantiles",
    "Quantiles, linear between the nearest values (type 7 of Hyndman and Fan 1996).",
    [
      DATA,
      parameter(
        "probabilities",
        "Probabilities from 0 to 1, or the number of intervals of equal share.",
        [
          { type: "array", items: { type: "number", minimum: 0, maximum: 1 } },
          { type: "integer", minimum: 2 },
          { type: "null" },
        ],
        { default: null },
      ),
      parameter(
        "q",
        "The number of intervals of equal share; deprecated, instead of `probabilities`.",
        [{ type: "integer", minimum: 2 }, { type: "null" }],
        { default: null },
      ),
      IGNORE,
    ],
    { description: "One number for each probability.", schema: NUMBERS },
    {
      AscendingProbabilitiesRequired: "The probabilities do not ascend.",
      QuantilesParameterConflict: "Both `probabilities` and `q` are given.",
      QuantilesParameterMissing: "Neither `probabilities` nor `q` is given.",
    },
  ),
];
