import { BOOLEAN, define, NUMBER, type ProcessDefinition, parameter } from "./definition.ts";

const number = (name: string, description: string) => parameter(name, description, NUMBER);
const X = number("x", "A number.");
const XY = [number("x", "The first number."), number("y", "The second number.")];
const BOTH = [parameter("x", "A boolean.", BOOLEAN), parameter("y", "A boolean.", BOOLEAN)];
const OPERAND = { type: ["number", "boolean", "string", "null"] };
const NO_DATA = "No-data values give no data.";

function arithmetic(
  id: string,
  summary: string,
  formula: string,
  parameters = XY,
  exceptions?: Readonly<Record<string, string>>,
): ProcessDefinition {
  const returns = { description: "The result.", schema: NUMBER };
  return define(id, ["math"], summary, `Computes ${formula}. ${NO_DATA}`, parameters, returns, exceptions);
}

function comparison(id: string, summary: string, condition: string): ProcessDefinition {
  return define(id, ["comparison"], summary, `Whether ${condition}. ${NO_DATA}`, XY, {
    description: "`true` where it is so, `false` where it is not, no data where an operand is no data.",
    schema: BOOLEAN,
  });
}

function equality(id: string, summary: string, condition: string): ProcessDefinition {
  const parameters = [
    parameter("x", "The first value.", OPERAND),
    parameter("y", "The second value.", OPERAND),
    parameter("delta", "Numbers that differ by up to this are equal.", NUMBER, { default: null }),
    parameter("case_sensitive", "Whether texts in other letter case differ.", { type: "boolean" }, { default: true }),
  ];
  return define(
    id,
    ["comparison"],
    summary,
    `Whether ${condition}. Values of different types are not equal. ${NO_DATA}`,
    parameters,
    {
      description: "`true` where it is so, `false` where it is not, no data where an operand is no data.",
      schema: BOOLEAN,
    },
  );
}

/** Definitions of processes on numbers and booleans. */
export const MATH_DEFINITIONS: readonly ProcessDefinition[] = [
  arithmetic("add", "Addition", "`x + y`"),
  arithmetic("subtract", "Subtraction", "`x - y`"),
  arithmetic("multiply", "Multiplication", "`x * y`"),
  arithmetic("divide", "Division", "`x / y`, by IEEE 754 where `y` is 0"),
  arithmetic("power", "Exponentiation", "`base` to the power of `p`", [
    number("base", "The base."),
    number("p", "The exponent."),
  ]),
  arithmetic("sqrt", "Square root", "the square root of `x`", [X]),
  arithmetic("ln", "Natural logarithm", "the logarithm of `x` to the base e", [X]),
  arithmetic("log", "Logarithm", "the logarithm of `x` to a base", [X, number("base", "The base.")]),
  arithmetic("exp", "Exponentiation to the base e", "e to the power of `p`", [number("p", "The exponent.")]),
  arithmetic("absolute", "Absolute value", "the absolute value of `x`", [X]),
  arithmetic(
    "clip",
    "Clip to a range",
    "`min` where `x` is less, `max` where it is greater, else `x`",
    [
      X,
      parameter("min", "The least result.", { type: "number" }),
      parameter("max", "The greatest result.", { type: "number" }),
    ],
    { MinMaxSwapped: "`min` is above `max`." },
  ),
  arithmetic("normalized_difference", "Normalized difference", "`(x - y) / (x + y)`"),
  arithmetic(
    "linear_scale_range",
    "Scale a range linearly",
    "`((x - inputMin) / (inputMax - inputMin)) * (outputMax - outputMin) + outputMin` of `x` clipped to the input range",
    [
      X,
      parameter("inputMin", "Least value of the input.", { type: "number" }),
      parameter("inputMax", "Greatest value of the input.", { type: "number" }),
      parameter("outputMin", "Least value of the output.", { type: "number" }, { default: 0 }),
      parameter("outputMax", "Greatest value of the output.", { type: "number" }, { default: 1 }),
    ],
  ),
  equality("eq", "Equal", "`x` equals `y`"),
  equality("neq", "Not equal", "`x` does not equal `y`"),
  comparison("lt", "Less than", "`x` is less than `y`"),
  comparison("lte", "Less than or equal", "`x` is less than or equal to `y`"),
  comparison("gt", "Greater than", "`x` is greater than `y`"),
  comparison("gte", "Greater than or equal", "`x` is greater than or equal to `y`"),
  define(
    "between",
    ["comparison"],
    "Between two numbers",
    `Whether \`x\` is at least \`min\` and at most \`max\`. ${NO_DATA}`,
    [
      X,
      number("min", "The lower bound, included."),
      number("max", "The upper bound."),
      parameter("exclude_max", "Whether the upper bound is left out.", { type: "boolean" }, { default: false }),
    ],
    { description: "`true` where it is so, else `false`.", schema: BOOLEAN },
  ),
  define(
    "and",
    ["logic"],
    "Logical and",
    "`true` where both are; `false` where either is, whatever the other; else no data.",
    BOTH,
    {
      description: "The result.",
      schema: BOOLEAN,
    },
  ),
  define(
    "or",
    ["logic"],
    "Logical or",
    "`true` where either is, whatever the other; `false` where both are; else no data.",
    BOTH,
    {
      description: "The result.",
      schema: BOOLEAN,
    },
  ),
  define(
    "not",
    ["logic"],
    "Logical not",
    "`true` becomes `false` and `false` becomes `true`; no data stays.",
    [parameter("x", "A boolean.", BOOLEAN)],
    {
      description: "The result.",
      schema: BOOLEAN,
    },
  ),
  define(
    "if",
    ["logic"],
    "One of two values",
    "`accept` where `value` is `true`, `reject` where it is `false` or no data.",
    [
      parameter("value", "A boolean.", BOOLEAN),
      parameter("accept", "The value for `true`.", {}),
      parameter("reject", "The value for all else.", {}, { default: null }),
    ],
    { description: "One of the two.", schema: {} },
  ),
  define(
    "is_nodata",
    ["comparison"],
    "Missing value",
    "Whether a value is no data. The no-data value of all cubes here is NaN.",
    [parameter("x", "The value.", {})],
    {
      description: "`true` for no data, else `false`.",
      schema: { type: "boolean" },
    },
  ),
  define(
    "is_nan",
    ["comparison", "math"],
    "Not a number",
    "Whether a value is NaN, which is also the no-data value of all cubes here, or no number.",
    [parameter("x", "The value.", {})],
    {
      description: "`true` for what is not a number, else `false`.",
      schema: { type: "boolean" },
    },
  ),
];
