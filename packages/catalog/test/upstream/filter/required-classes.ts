const ADVANCED = ["like", "between", "in"];

/** The conformance classes that a filter in CQL2 JSON needs besides `basic-cql2`, read from its operators alone. */
export function requiredClasses(value: unknown): Set<string> {
  const classes = new Set<string>();
  collect(value, classes);
  return classes;
}

function collect(value: unknown, classes: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) collect(entry, classes);
  if (typeof value !== "object" || value === null || !("op" in value) || !("args" in value)) return;
  const op = String(value.op);
  const args = value.args as readonly unknown[];
  if (ADVANCED.includes(op)) classes.add("advanced-comparison-operators");
  if (op === "casei") classes.add("case-insensitive-comparison");
  if (op === "accenti") classes.add("accent-insensitive-comparison");
  if (["+", "-", "*", "/", "%", "div", "^"].includes(op)) classes.add("arithmetic");
  if (op.startsWith("t_")) classes.add("temporal-functions");
  if (op.startsWith("a_")) classes.add("array-functions");
  if (op.startsWith("s_")) {
    classes.add(op === "s_intersects" ? "basic-spatial-functions" : "spatial-functions");
    const isSimple = args.every((arg) => isObject(arg) && ("property" in arg || "bbox" in arg || arg.type === "Point"));
    if (!isSimple) classes.add("basic-spatial-functions-plus");
  }
  const isComparison = ["=", "<>", "<", "<=", ">", ">="].includes(op);
  if (isComparison && (!names(args[0]) || names(args[1]))) classes.add("property-property");
  collect(args, classes);
}

function names(value: unknown): boolean {
  return JSON.stringify(value).includes('"property"');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
