import { type Path, Refusal } from "../refusal.ts";
import type { Calculation, HistogramSettings } from "../request.ts";
import { equalEdges, MAX_BINS } from "../run/compute/bins.ts";
import type { Reducer } from "../run/compute/compute-job.ts";

/**
 * Returns the calculations for each output: its own entry of `calculations`, else `default`; moments and extremes always.
 *
 * @param path of `calculations` in the request
 * @returns for the name of an output its reducers
 * @throws {Refusal} `invalid` for an entry of no output, and for histograms without bins or with two kinds.
 */
export function reducersOf(
  calculations: Readonly<Record<string, Calculation>>,
  outputs: readonly string[],
  path: Path = ["into", "calculations"],
): (output: string) => readonly Reducer[] {
  const reducers = new Map<string, readonly Reducer[]>();
  for (const [name, { percentiles, histogram }] of Object.entries(calculations)) {
    if (name !== "default" && !outputs.includes(name)) {
      const detail = `Expected "default" or the name of an output (${outputs.join(", ")}), got "${name}".`;
      throw new Refusal("invalid", [...path, name], detail);
    }
    reducers.set(name, [
      ...ALWAYS,
      ...(percentiles === undefined ? [] : [{ kind: "percentiles", at: percentiles } as const]),
      ...(histogram === undefined ? [] : [histogramOf(histogram, [...path, name, "histogram"])]),
    ]);
  }
  const fallback = reducers.get("default") ?? ALWAYS;
  return (output) => reducers.get(output) ?? fallback;
}

const ALWAYS: readonly Reducer[] = [{ kind: "moments" }, { kind: "extremes" }];
const KINDS = ["nBins", "binWidth", "bins"] as const;

function histogramOf(settings: HistogramSettings, path: Path): Reducer {
  const { nBins, binWidth, bins, lowEdge, highEdge } = settings;
  const invalid = (member: Path, detail: string): Refusal => new Refusal("invalid", [...path, ...member], detail);
  const given = KINDS.filter((name) => settings[name] !== undefined);
  if (given.length !== 1) {
    throw invalid([], `Expected nBins, binWidth or bins, got ${given.join(" and ") || "none"}.`);
  }
  if (bins !== undefined) {
    if (lowEdge !== undefined || highEdge !== undefined) {
      throw invalid([], "lowEdge and highEdge belong to nBins and binWidth: bins names all edges.");
    }
    const at = bins.findIndex((edge, i) => i > 0 && !(edge > (bins[i - 1] as number)));
    if (at === -1) return { kind: "histogram", edges: bins };
    throw invalid(["bins", at], `Expected an edge greater than ${bins[at - 1]}, got ${bins[at]}.`);
  }
  const equal = { count: nBins, width: binWidth, low: lowEdge, high: highEdge };
  if (lowEdge === undefined || highEdge === undefined) return { kind: "histogram", equal };
  if (lowEdge >= highEdge) throw invalid(["highEdge"], `Expected more than lowEdge ${lowEdge}, got ${highEdge}.`);
  const count = binWidth === undefined ? 0 : (highEdge - lowEdge) / binWidth;
  if (!(count <= MAX_BINS)) throw invalid(["binWidth"], `Expected at most ${MAX_BINS} bins, got ${count}.`);
  return { kind: "histogram", edges: equalEdges(equal, lowEdge, highEdge) };
}
