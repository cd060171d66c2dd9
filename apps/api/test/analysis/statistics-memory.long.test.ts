import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import { writeMonths } from "../own/monthly-archive.ts";

const SCRIPT = fileURLToPath(new URL("./large-statistics.ts", import.meta.url));
const SIDE = 2000;
const MONTHS = Array.from({ length: searches(5, 12) }, (_, i) => i + 1);
/** Memory above that at rest. */
const MAX_MB = 512;

interface Report {
  readonly grownMb: number;
  readonly restMb: number;
  readonly seconds: number;
  readonly values: readonly number[];
}

test(`statistics of 2,000 x 2,000 pixels and ${MONTHS.length} months, exact percentiles included, take less than ${MAX_MB} MB`, {
  tags: ["ST9"],
  timeout: 300_000,
}, async () => {
  const directory = await writeMonths({ side: SIDE, blockSize: 512, months: MONTHS });
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const parameters = [
    "--conditions=@swath/source",
    "--expose-gc",
    SCRIPT,
    directory,
    String(SIDE),
    String(MONTHS.length),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  const { grownMb, restMb, seconds, values } = JSON.parse(stdout) as Report;
  console.info(`${grownMb.toFixed(0)} MB above ${restMb.toFixed(0)} MB at rest, ${seconds.toFixed(1)} s`);
  expect(values).toHaveLength(MONTHS.length);
  expect(Math.min(...values)).toBeGreaterThan(3_000_000);
  expect(grownMb).toBeLessThan(MAX_MB);
});
