import type { RenderEngine } from "../packages/engine/src/run/threads/engine.ts";
import type { Summary } from "./measure.ts";

/** The arguments of every section. */
export interface Bench {
  readonly directory: string;
  /** GDAL, rasterio and MapServer are measured too. */
  readonly peers: boolean;
  /** Few rounds, and the largest extractions are left out. */
  readonly quick: boolean;
  /** Adds Markdown to the section's part of the report. */
  readonly print: (line?: string) => void;
  /** Says what is being measured now; not a part of the report. */
  readonly progress: (task: string) => void;
  /** An engine with empty caches. */
  readonly engine: () => RenderEngine;
}

/** A Markdown table, columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], textColumns = 1): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const isText = (i: number): boolean => i < textColumns;
  const pad = (cell: string, i: number): string => (isText(i) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!));
  const line = (cells: readonly string[]): string => `| ${cells.map(pad).join(" | ")} |`;
  const rule = widths.map((width, i) => (isText(i) ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`));
  return [line(head), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}

export const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
export const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0);
export const kb = (bytes: number): string => (bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0);

/** `median (min–max)`. */
export const spread = ({ median, min, max }: Summary, format = ms): string =>
  `${format(median)} (${format(min)}–${format(max)})`;
