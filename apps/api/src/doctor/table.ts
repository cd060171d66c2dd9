import { printTable } from "../access/print-table.ts";
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

/** Prints a report for people: a table for each upstream, then what fails and what to do. */
export function printReport(report: DoctorReport, print: (line: string) => void): void {
  for (const upstream of report.upstreams) {
    printUpstream(upstream, print);
    print("");
  }
  const faults = faultsOf(report);
  if (faults.length > 0) print("What does not work:");
  for (const { where, detail, advice } of faults) {
    print(`- ${where}: ${detail}`);
    print(`  To do: ${advice}`);
  }
  for (const line of unasked(report)) print(line);
  print(`${report.status === "ok" ? "All well" : "Not all well"} (${seconds(report.ms)}).`);
}

function printUpstream(upstream: UpstreamReport, print: (line: string) => void): void {
  const { name, title, url, landingPage, collections } = upstream;
  print([name, title, ...(url === undefined ? [] : [url])].join(" | "));
  if (landingPage !== undefined) {
    print(`  landing page ${cellOf(landingPage)}; all together ${upstream.requests} requests, ${size(upstream)}`);
  }
  if (collections.length === 0) return;
  const rows = collections.map(({ id, steps }) => [`  ${id}`, ...steps.map(cellOf)]);
  printTable([["  collection", ...STEPS.map((step) => HEADS[step])], ...rows], print);
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
  readonly where: string;
  readonly detail: string;
  readonly advice: string;
}

/** What fails, each fault once with all the collections that have it. */
function faultsOf({ upstreams, absent }: DoctorReport): Fault[] {
  const faults = new Map<string, Omit<Fault, "where"> & { readonly start: string; readonly ids: string[] }>();
  const add = (start: string, id: string | undefined, { detail = "", advice = "" }: Partial<StepReport>): void => {
    const key = JSON.stringify([start, detail, advice]);
    const known = faults.get(key) ?? { start, ids: [], detail, advice };
    faults.set(key, known);
    if (id !== undefined) known.ids.push(id);
  };
  for (const { name, landingPage, collections } of upstreams) {
    if (landingPage?.status === "failed") add(`${name}, ${HEADS["landing-page"]}`, undefined, landingPage);
    for (const { id, steps } of collections) {
      for (const step of steps) if (step.status === "failed") add(`${name}, ${HEADS[step.step]}`, id, step);
    }
  }
  for (const { name, ...words } of absent) add(name, undefined, words);
  return [...faults.values()].map(({ start, ids, ...words }) => ({
    where: ids.length === 0 ? start : `${start} of ${ids.join(", ")}`,
    ...words,
  }));
}

/** What was left out for want of time or requests. */
function unasked({ upstreams }: DoctorReport): string[] {
  return upstreams.flatMap(({ name, collections }) => {
    const left = collections.filter(({ steps }) =>
      steps.some(({ status, detail }) => status === "skipped" && isBound(detail)),
    );
    if (left.length === 0) return [];
    return [
      `${name}: not all was asked of ${left.map(({ id }) => id).join(", ")}, for want of time or requests: name fewer collections.`,
    ];
  });
}

function isBound(detail = ""): boolean {
  return /^The (time|requests) of the upstream/.test(detail);
}
