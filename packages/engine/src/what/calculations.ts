import type { Calculation } from "../request.ts";
import { equalEdges, MAX_BINS } from "../run/bins.ts";
import type { Reducer } from "../run/reduce-job.ts";
import { invalidBody } from "../where/area.ts";

/**
 * What is computed of each output: its own entry of `calculations`, else `default`; moments and extremes always.
 *
 * @returns for the name of an output its reducers
 * @throws {ProblemError} `invalid-body` for an entry of no output, and for histograms without bins or with two kinds.
 */
export function reducersOf(
  calculations: Readonly<Record<string, Calculation>>,
  outputs: readonly string[],
): (output: string) => readonly Reducer[] {
  const reducers = new Map<string, readonly Reducer[]>();
  for (const [name, { percentiles, histogram }] of Object.entries(calculations)) {
    const pointer = `/calculations/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (name !== "default" && !outputs.includes(name)) {
      throw invalidBody(pointer, `Expected "default" or the name of an output (${outputs.join(", ")}), got "${name}".`);
    }
    reducers.set(name, [
      ...ALWAYS,
      ...(percentiles === undefined ? [] : [{ kind: "percentiles", at: percentiles } as const]),
      ...(histogram === undefined ? [] : [histogramOf(histogram, `${pointer}/histogram`)]),
    ]);
  }
  const fallback = reducers.get("default") ?? ALWAYS;
  return (output) => reducers.get(output) ?? fallback;
}

const ALWAYS: readonly Reducer[] = [{ kind: "moments" }, { kind: "extremes" }];
const KINDS = ["nBins", "binWidth", "bins"] as const;

function histogramOf(settings: NonNullable<Calculation["histogram"]>, pointer: string): Reducer {
  const { nBins, binWidth, bins, lowEdge, highEdge } = settings;
  const given = KINDS.filter((name) => settings[name] !== undefined);
  if (given.length !== 1) {
    throw invalidBody(pointer, `Expected nBins, binWidth or bins, got ${given.join(" and ") || "none"}.`);
  }
  if (bins !== undefined) {
    if (lowEdge !== undefined || highEdge !== undefined) {
      throw invalidBody(pointer, "lowEdge and highEdge belong to nBins and binWidth: bins names all edges.");
    }
    const at = bins.findIndex((edge, i) => i > 0 && !(edge > (bins[i - 1] as number)));
    if (at === -1) return { kind: "histogram", edges: bins };
    throw invalidBody(`${pointer}/bins/${at}`, `Expected an edge greater than ${bins[at - 1]}, got ${bins[at]}.`);
  }
  const equal = { count: nBins, width: binWidth, low: lowEdge, high: highEdge };
  if (lowEdge === undefined || highEdge === undefined) return { kind: "histogram", equal };
  if (lowEdge >= highEdge) {
    throw invalidBody(`${pointer}/highEdge`, `Expected more than lowEdge ${lowEdge}, got ${highEdge}.`);
  }
  if (binWidth !== undefined && !((highEdge - lowEdge) / binWidth <= MAX_BINS)) {
    throw invalidBody(
      `${pointer}/binWidth`,
      `Expected at most ${MAX_BINS} bins, got ${(highEdge - lowEdge) / binWidth}.`,
    );
  }
  return { kind: "histogram", edges: equalEdges(equal, lowEdge, highEdge) };
}
