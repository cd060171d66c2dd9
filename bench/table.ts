import type { RenderEngine } from "../apps/api/src/render/engine.ts";

/** What every section is given. */
export interface Bench {
  readonly directory: string;
  readonly peers: boolean;
  readonly quick: boolean;
  readonly print: (line?: string) => void;
  /** An engine with empty caches. */
  readonly engine: () => RenderEngine;
}

/** A Markdown table, columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

export const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
export const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
export const ratio = (ours: number, theirs: number | undefined): string =>
  theirs === undefined ? "" : (ours / theirs).toFixed(2);
