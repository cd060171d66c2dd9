import fc from "fast-check";

/**
 * Properties (fast-check) generate the same examples in CI each time, so that a change is judged by what it changes.
 * Elsewhere, and with `PROPERTY_SEED=random`, they generate new ones, which is how the nightly run looks for more.
 */
const { CI, PROPERTY_SEED: asked = CI ? "20261121" : "random", PROPERTY_RUNS: runs } = process.env;

fc.configureGlobal({
  ...(asked === "random" ? {} : { seed: Number(asked) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
