import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Damage } from "./cases.ts";

/** The longest side of the window that is read, pixels, and the most samples of all bands. */
export const MAX_SIDE = 1100;
export const MAX_SAMPLES = 4_000_000;
/** A case that takes longer is a hang. */
const DEADLINE_MS = 30_000;

/** The commands of this package's reader and of GDAL's. */
export const OURS = [
  ...[process.execPath, "--expose-gc", "--conditions=@swath/source"],
  join(import.meta.dirname, "read-cases.ts"),
] as const;
export const GDAL = ["/usr/bin/python3", join(import.meta.dirname, "read_cases.py")] as const;

/** A file, and the damages that are done to it. */
export interface DamagedFile {
  readonly path: string;
  readonly damages: readonly Damage[];
}

/** A task for a reader: files, each of which is read undamaged and with each of its damages. */
export interface Task {
  readonly files: readonly DamagedFile[];
  readonly maxSide: number;
  readonly maxSamples: number;
}

/** The result that a reader gives for a case. */
export interface Line {
  /** The place of the damage among those of its file; −1 is the undamaged file. */
  readonly i: number;
  /** Digest of sizes, type and pixels, where there are any. */
  readonly digest?: string;
  /** The digest of the undamaged file, where the case reads a window. */
  readonly expected?: string;
  /** Code of the error, where there are no pixels. */
  readonly error?: string;
  /** An error of another class than the reader's own. */
  readonly untyped?: string;
  /** The message that was reported beside the pixels. */
  readonly said?: "warning" | "error";
  readonly ms: number;
  /** Most memory that the process has had so far, MB. */
  readonly peak: number;
}

export interface Ended {
  readonly i: number;
  readonly ended: "crash" | "hang";
}

/**
 * Runs a reader over the cases of files in one process; after a crash or a hang another one goes on.
 *
 * @returns the results by file, that of the undamaged one first.
 */
export async function readCases(
  command: readonly string[],
  files: readonly DamagedFile[],
): Promise<(Line | Ended)[][]> {
  const folder = mkdtempSync(join(tmpdir(), "swath-damage-"));
  const taskPath = join(folder, "task.json");
  const task: Task = { files, maxSide: MAX_SIDE, maxSamples: MAX_SAMPLES };
  writeFileSync(taskPath, JSON.stringify(task));
  const cases = files.flatMap(({ damages }) => Array.from({ length: damages.length + 1 }, (_, place) => place - 1));
  const results: (Line | Ended)[] = [];
  try {
    while (results.length < cases.length) {
      const { lines, ended } = await readFrom(command, taskPath, results.length);
      results.push(...lines);
      if (results.length < cases.length) results.push({ i: cases[results.length]!, ended });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return files.map(({ damages }) => results.splice(0, damages.length + 1));
}

async function readFrom(
  [program = "", ...args]: readonly string[],
  taskPath: string,
  first: number,
): Promise<{ lines: Line[]; ended: Ended["ended"] }> {
  const child = spawn(program, [...args, taskPath, String(first)], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: Line[] = [];
  let ended: Ended["ended"] = "crash";
  const stop = (): void => {
    ended = "hang";
    child.kill("SIGKILL");
  };
  let timer = setTimeout(stop, DEADLINE_MS);
  const closed = new Promise((resolve) => child.once("close", resolve));
  for await (const text of createInterface({ input: child.stdout })) {
    clearTimeout(timer);
    timer = setTimeout(stop, DEADLINE_MS);
    lines.push(JSON.parse(text) as Line);
  }
  await closed;
  clearTimeout(timer);
  return { lines, ended };
}
