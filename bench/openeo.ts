import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeMonths } from "../apps/api/test/own/monthly-archive.ts";
import { comparison } from "./comparison.ts";
import { NODE_FLAGS, type Run, summarize } from "./measure.ts";
import type { Bench } from "./table.ts";

const CHILD = join(import.meta.dirname, "cube-child.ts");
const SIDE = 1000;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);

interface Report {
  readonly runs: readonly Run[];
  readonly peak: number;
  readonly values: readonly (number | null)[];
}

/** A year of NDVI of a polygon by a process graph, beside the same by statistics. */
export async function openEo({ print, progress }: Bench): Promise<void> {
  const directory = await writeMonths({ side: SIDE, blockSize: 512, months: MONTHS });
  try {
    const run = async (by: string): Promise<Report> => {
      progress(by);
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...NODE_FLAGS,
        CHILD,
        directory,
        String(SIDE),
        by,
      ]);
      return JSON.parse(stdout) as Report;
    };
    const [statistics, graph] = [await run("statistics"), await run("openeo")];
    if (JSON.stringify(statistics.values) !== JSON.stringify(graph.values)) throw new Error("The means differ.");
    const task = `12 months of ${SIDE} × ${SIDE} pixels`;
    print(
      comparison(
        [
          { task, program: "Swath, POST /v1/statistics", ...statistics },
          { task, program: "Swath, a process graph", ...graph },
        ],
        "none",
      ),
    );
    const ratio = (of: (report: Report) => number): string => (of(graph) / of(statistics)).toFixed(2);
    const cpu = ({ runs }: Report): number => summarize(runs.map((each) => each.cpu)).median;
    print();
    print(
      `The graph takes ${ratio(cpu)} times the CPU and ${ratio(({ peak }) => peak)} times the memory of statistics; the means are the same to the last digit.`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
