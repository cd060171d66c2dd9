import type { Filter, Operand, Pattern } from "@swath/query";

type Classes = ReadonlySet<string>;

/**
 * Whether a filter needs no conformance classes of CQL2 but these (OGC 21-065r2, clauses 7 and 8), besides
 * `basic-cql2`: each operator belongs to one, and a comparison other than of a property with a constant to
 * `property-property`.
 */
export function fitsClasses(filter: Filter, classes: Classes): boolean {
  const fits = (one: Filter): boolean => fitsClasses(one, classes);
  const areValues = (...operands: readonly Operand[]): boolean =>
    operands.every((operand) => operandFits(operand, classes));
  switch (filter.op) {
    case "and":
    case "or":
      return filter.args.every(fits);
    case "not":
      return fits(filter.arg);
    case "compare":
      return (
        areValues(filter.left, filter.right) &&
        (classes.has("property-property") || (hasProperty(filter.left) && !hasProperty(filter.right)))
      );
    case "isNull":
      return areValues(filter.operand);
    case "between":
      return classes.has("advanced-comparison-operators") && areValues(filter.operand, filter.lower, filter.upper);
    case "in":
      return classes.has("advanced-comparison-operators") && areValues(filter.operand, ...filter.values);
    case "like":
      return (
        classes.has("advanced-comparison-operators") &&
        areValues(filter.operand) &&
        patternFits(filter.pattern, classes)
      );
    case "text":
      return classes.has("advanced-comparison-operators") && areValues(filter.operand);
    case "spatial":
      return (
        classes.has(filter.operator === "intersects" ? "basic-spatial-functions" : "spatial-functions") &&
        [filter.left, filter.right].every((operand) => shapeFits(operand, classes))
      );
    case "temporal":
      return classes.has("temporal-functions");
    case "array":
    case "has":
      return classes.has("array-functions");
    case "boolean":
      return "literal" in filter.operand;
  }
}

/** Points and boxes are of the basic class, other geometries of the next. */
function shapeFits(operand: Operand, classes: Classes): boolean {
  if (!("geometry" in operand) || operand.geometry.type === "Point") return true;
  return classes.has("basic-spatial-functions-plus");
}

/** Accepts ASCII alone in folded patterns, since every server folds ASCII in the same way. */
function patternFits(pattern: Pattern, classes: Classes): boolean {
  if (typeof pattern === "string") return true;
  const [name, inner] =
    "casei" in pattern
      ? ["case-insensitive-comparison", pattern.casei]
      : ["accent-insensitive-comparison", pattern.accenti];
  return (
    classes.has(name) && patternFits(inner, classes) && (typeof inner !== "string" || /^[\x20-\x7e]*$/.test(inner))
  );
}

function operandFits(operand: Operand, classes: Classes): boolean {
  if ("casei" in operand) {
    return classes.has("case-insensitive-comparison") && operandFits(operand.casei, classes);
  }
  if ("accenti" in operand) {
    return classes.has("accent-insensitive-comparison") && operandFits(operand.accenti, classes);
  }
  if ("arithmetic" in operand) {
    return classes.has("arithmetic") && operandFits(operand.left, classes) && operandFits(operand.right, classes);
  }
  return "property" in operand || "literal" in operand || "instant" in operand;
}

function hasProperty(operand: Operand): boolean {
  if ("property" in operand) return true;
  if ("casei" in operand) return hasProperty(operand.casei);
  if ("accenti" in operand) return hasProperty(operand.accenti);
  return "arithmetic" in operand && (hasProperty(operand.left) || hasProperty(operand.right));
}
