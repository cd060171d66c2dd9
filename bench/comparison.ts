import { type Run, type Summary, summarize } from "./measure.ts";
import { kb, mb, ms, spread, table } from "./table.ts";

/** One program's runs of one task. */
export interface Measured {
  readonly task: string;
  /** `Swath …` for ours; the first of a task is what the others are compared with. */
  readonly program: string;
  readonly runs: readonly Run[];
  /** Greatest resident bytes of the program's processes. */
  readonly peak?: number | undefined;
}

interface Row {
  readonly task: string;
  readonly program: string;
  readonly wall: Summary;
  readonly cpu: Summary;
  readonly bytes: number;
  readonly peak: number | undefined;
}

const rowOf = ({ task, program, runs, peak }: Measured): Row => ({
  task,
  program,
  wall: summarize(runs.map(({ wall }) => wall)),
  cpu: summarize(runs.map(({ cpu }) => cpu)),
  bytes: summarize(runs.map(({ bytes }) => bytes)).median,
  peak,
});

const isOurs = ({ program }: { readonly program: string }): boolean => program.startsWith("Swath");
const times = (theirs: number, ours: number): string => {
  const ratio = theirs / ours;
  const text = ratio >= 9.95 ? ratio.toFixed(0) : ratio.toFixed(2);
  return ratio < 1 ? `**${text}**` : text;
};

/**
 * A table of the programs' costs, task by task, and the sentence that says where another program is better than the task's first row:
 * less time, less CPU or a smaller output, by the medians.
 *
 * @param unit of the outputs' size
 */
export function comparison(measured: readonly Measured[], unit: "kB" | "MB" | "none"): string {
  const rows = measured.filter(({ runs }) => runs.length > 0).map(rowOf);
  const withPeaks = rows.some(({ peak }) => peak !== undefined);
  const withPeers = rows.some((row) => !isOurs(row));
  const size = unit === "MB" ? mb : kb;
  const firsts = new Map<string, Row>();
  for (const row of rows) if (!firsts.has(row.task)) firsts.set(row.task, row);
  const head = [
    "task",
    "program",
    "ms: median (min–max)",
    "CPU ms: median (min–max)",
    ...(unit === "none" ? [] : [unit]),
    ...(withPeaks ? ["peak MB"] : []),
    ...(withPeers ? ["time ÷ Swath's", "CPU ÷ Swath's"] : []),
  ];
  const cells = rows.map((row) => {
    const first = firsts.get(row.task)!;
    const compared = isOurs(row)
      ? ["", ""]
      : [times(row.wall.median, first.wall.median), times(row.cpu.median, first.cpu.median)];
    return [
      row === first ? row.task : "",
      row.program,
      spread(row.wall),
      spread(row.cpu),
      ...(unit === "none" ? [] : [size(row.bytes)]),
      ...(withPeaks ? [row.peak === undefined ? "" : mb(row.peak)] : []),
      ...(withPeers ? compared : []),
    ];
  });
  return [table(head, cells, 2), ...(withPeers ? ["", whereOthersAreBetter(rows, firsts)] : [])].join("\n");
}

function whereOthersAreBetter(rows: readonly Row[], firsts: ReadonlyMap<string, Row>): string {
  const others = rows.filter((row) => !isOurs(row));
  const costs = others.flatMap((row) => {
    const ours = firsts.get(row.task)!;
    const better = [
      ...(row.wall.median < ours.wall.median ? [`${ms(row.wall.median)} ms instead of ${ms(ours.wall.median)}`] : []),
      ...(row.cpu.median < ours.cpu.median
        ? [`${ms(row.cpu.median)} ms of CPU instead of ${ms(ours.cpu.median)}`]
        : []),
      ...(row.peak !== undefined && ours.peak !== undefined && row.peak < ours.peak
        ? [`${mb(row.peak)} MB of memory instead of ${mb(ours.peak)}`]
        : []),
    ];
    return better.length === 0 ? [] : [`- ${row.task}: ${row.program}, ${better.join(", ")}.`];
  });
  const sizes = [...new Set(others.map(({ program }) => program))].flatMap((program) => {
    const own = others.filter((row) => row.program === program);
    const shares = own.map((row) => 1 - row.bytes / firsts.get(row.task)!.bytes).filter((share) => share > 0.005);
    if (shares.length === 0) return [];
    const most = Math.round(100 * Math.max(...shares));
    return [`- ${program}: smaller outputs in ${shares.length} of ${own.length} tasks, by up to ${most} %.`];
  });
  const found = [...costs, ...sizes];
  return found.length === 0
    ? "In no task of this table is another program better than Swath."
    : ["Where another program is better than Swath:", "", ...found].join("\n");
}
