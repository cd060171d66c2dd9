import type { Parameters, Value } from "./values.ts";

/**
 * The value of a parameter: that of the innermost graph which is given one, else the default of the outermost which defines
 * one (openEO API 1.2.0, "Accessing process parameters").
 *
 * @returns `undefined` where there is neither
 */
export function findParameter(name: string, parameters: Parameters): Value | undefined {
  let otherwise: Value | undefined;
  // from the inside out: what is found last is the outermost
  for (let at: Parameters | undefined = parameters; at !== undefined; at = at.outer) {
    if (Object.hasOwn(at.given, name)) return at.given[name];
    if (at.defaults.has(name)) otherwise = at.defaults.get(name);
  }
  return otherwise;
}

/** Names of all parameters that have a value. */
export function parameterNames(parameters: Parameters): readonly string[] {
  const names: string[] = [];
  for (let at: Parameters | undefined = parameters; at !== undefined; at = at.outer) {
    names.push(...Object.keys(at.given), ...at.defaults.keys());
  }
  return names;
}
