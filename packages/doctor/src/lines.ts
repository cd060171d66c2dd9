import { type DoctorReport, STEPS, type StepName, type StepReport, type UpstreamReport } from "./report.ts";

const HEADS: Readonly<Record<StepName, string>> = {
  "landing-page": "landing page",
  search: "search",
  "second-page": "second page",
  item: "item",
  bands: "bands",
  header: "header",
  block: "block",
};

const LIST = new Intl.ListFormat("en-GB");

/** A report as lines for people: a table for each upstream, then what fails and what to do. */
export function reportLines(report: DoctorReport): readonly string[] {
  const faults = faultsOf(report).flatMap((fault) => [
    `- ${placeOf(fault)}: ${fault.detail}`,
    `  To do: ${fault.advice}`,
  ]);
  return [
    ...report.upstreams.flatMap((upstream) => [...upstreamLines(upstream), ""]),
    ...(faults.length === 0 ? [] : ["What does not work:", ...faults]),
    ...unasked(report),
    `${report.status === "ok" ? "All well" : "Not all well"} (${seconds(report.ms)}).`,
  ];
}

function upstreamLines(upstream: UpstreamReport): readonly string[] {
  const { name, title, url, landingPage, collections } = upstream;
  const lines = [[name, title, ...(url === undefined ? [] : [url])].join(" | ")];
  if (landingPage !== undefined) {
    const requests = `${upstream.requests} ${upstream.requests === 1 ? "request" : "requests"}`;
    lines.push(`  landing page ${cellOf(landingPage)}; all together ${requests}, ${size(upstream)}`);
  }
  if (collections.length === 0) return [...lines, "  no collection of it is asked for"];
  const rows = collections.map(({ id, steps }) => [`  ${id}`, ...steps.map(cellOf)]);
  return [...lines, ...columnLines([["  collection", ...STEPS.map((step) => HEADS[step])], ...rows])];
}

/** Rows of text as columns, two spaces apart. */
function columnLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function cellOf(step: StepReport): string {
  const { status, sameAs, found } = step;
  if (status === "failed") return "FAILS";
  if (status === "skipped") return "-";
  if (found !== undefined) return found;
  return sameAs === undefined ? size(step) : "as above";
}

function size({ ms, bytes }: { readonly ms: number; readonly bytes: number }): string {
  return `${seconds(ms)} ${bytesOf(bytes)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function bytesOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

interface Fault {
  /** An upstream, or a name that was asked for. */
  readonly name: string;
  /** Steps that have it, with the collections of each. */
  readonly steps: Map<string, string[]>;
  readonly detail: string;
  readonly advice: string;
}

/** Returns each fault once, with all the steps and collections that have it. */
function faultsOf({ upstreams, absent }: DoctorReport): Fault[] {
  const faults = new Map<string, Fault>();
  const add = (name: string, { detail = "", advice = "", step }: Partial<StepReport>, id?: string): void => {
    const key = JSON.stringify([name, detail, advice]);
    const fault = faults.get(key) ?? { name, steps: new Map<string, string[]>(), detail, advice };
    faults.set(key, fault);
    if (step === undefined) return;
    fault.steps.set(HEADS[step], [...(fault.steps.get(HEADS[step]) ?? []), ...(id === undefined ? [] : [id])]);
  };
  for (const { name, landingPage, collections } of upstreams) {
    if (landingPage?.status === "failed") add(name, landingPage);
    for (const { id, steps } of collections) {
      for (const step of steps) if (step.status === "failed") add(name, step, id);
    }
  }
  for (const { name, ...words } of absent) add(name, words);
  return [...faults.values()];
}

/** `pc, landing page, search of dem and hls` */
function placeOf({ name, steps }: Fault): string {
  const places = [...steps].map(([head, ids]) => (ids.length === 0 ? head : `${head} of ${LIST.format(ids)}`));
  return [name, ...places].join(", ");
}

/** Returns the names left out for want of time or requests. */
function unasked({ upstreams }: DoctorReport): string[] {
  return upstreams.flatMap(({ name, collections }) => {
    const left = collections.filter(({ steps }) =>
      steps.some(({ status, detail }) => status === "skipped" && isBound(detail)),
    );
    if (left.length === 0) return [];
    return [
      `${name}: not all was asked of ${LIST.format(left.map(({ id }) => id))}, for want of time or requests: name fewer collections.`,
    ];
  });
}

function isBound(detail = ""): boolean {
  return /^The (time|requests) of the upstream/.test(detail);
}
