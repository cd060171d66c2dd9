/** True, false, or unknown: the logic of CQL2 and SQL. */
export type Truth = boolean | undefined;

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** The conjunction: false as soon as one is false, else unknown where one is unknown. */
export function every<T>(entries: readonly T[], test: (entry: T, index: number) => Truth): Truth {
  let result: Truth = true;
  for (const [index, entry] of entries.entries()) {
    const truth = test(entry, index);
    if (truth === false) return false;
    if (truth === undefined) result = undefined;
  }
  return result;
}

/** The disjunction: true as soon as one is true, else unknown where one is unknown. */
export function some<T>(entries: readonly T[], test: (entry: T) => Truth): Truth {
  let result: Truth = false;
  for (const entry of entries) {
    const truth = test(entry);
    if (truth === true) return true;
    if (truth === undefined) result = undefined;
  }
  return result;
}
