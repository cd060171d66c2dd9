// npm run bench -- --sections archive: what a search of a folder of one's own costs with more items in it.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ArchiveCosts } from "./archive-child.ts";
import { itemFolder } from "./data/item-folder.ts";
import { NODE_FLAGS } from "./measure.ts";
import { type Bench, table } from "./table.ts";

const execute = promisify(execFile);
const CHILD = join(import.meta.dirname, "archive-child.ts");
const SIZES = [1000, 10_000, 100_000, 1_000_000];

/** Folders of a thousand to a million items: each is opened without its index, and again with it and searched in a new process. */
export async function archiveSearches({ directory, quick, print, progress }: Bench): Promise<void> {
  const sizes = quick ? SIZES.slice(0, 2) : SIZES;
  const rounds = quick ? 3 : 7;
  const cells = new Map<string, string[]>();
  const put = (row: string, cell: string): void => void cells.set(row, [...(cells.get(row) ?? []), cell]);
  for (const size of sizes) {
    progress(`${size.toLocaleString("en")} items`);
    const folder = await itemFolder(directory, size);
    const dataDir = await mkdtemp(join(tmpdir(), "swath-archive-"));
    const open = async (searched: number): Promise<ArchiveCosts> => {
      const args = [...NODE_FLAGS, "--expose-gc", CHILD, folder, dataDir, String(searched)];
      return JSON.parse((await execute(process.execPath, args)).stdout) as ArchiveCosts;
    };
    try {
      const [first, second] = [await open(0), await open(rounds)];
      put("opened without an index, CPU s", seconds(first.opening));
      put("opened with it, CPU s", seconds(second.opening));
      put("memory at rest, MB", (second.memory / 1e6).toFixed(0));
      for (const { name, cpu, matched } of second.searches) {
        put(`${name}, CPU ms (matched)`, `${cpu.toFixed(cpu < 10 ? 2 : 0)} (${matched.toFixed(matched < 10 ? 1 : 0)})`);
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const heads = ["", ...sizes.map((size) => `${size.toLocaleString("en")} items`)];
  const rows = [...cells].map(([name, row]) => [name, ...row]);
  print(table(heads, rows));
  print();
  print(
    `Medians of ${rounds} rounds after one that only warms up, each the mean of 25 searches that differ; page 2 is the same one each time.`,
  );
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);
