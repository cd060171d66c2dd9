import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { S2 } from "./process-cases.ts";

const SCRIPT = fileURLToPath(new URL("./large-extraction.ts", import.meta.url));
/** Part of the further rows' samples by which they may raise what a process holds at most: caches and unused garbage. */
const SLACK = 0.65;

interface Report {
  readonly grownMb: number;
  readonly seconds: number;
  readonly bytes: number;
}

async function extracted(width: number, height: number): Promise<Report> {
  const request = {
    input: {
      bounds: { bbox: [12.5, 45.1, 14.4, 46.0] },
      data: [{ type: "S2L2A", dataFilter: { ids: [S2.july, S2.east] } }],
    },
    bands: ["B04", "B03", "B8A"],
    output: { width, height },
  };
  const parameters = ["--conditions=@swath/source", SCRIPT, inject("sandbox"), JSON.stringify(request)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return JSON.parse(stdout) as Report;
}

test("memory does not grow with the height of the output", async () => {
  const low = await extracted(3000, 600);
  const high = await extracted(3000, 6000);
  const raw = (3000 * 6000 * 3 * 4) / 2 ** 20;
  const further = raw * 0.9;
  console.info(
    `600 rows: ${low.grownMb.toFixed(0)} MB in ${low.seconds.toFixed(1)} s; 6,000 rows (${raw.toFixed(0)} MB of samples): ${high.grownMb.toFixed(0)} MB in ${high.seconds.toFixed(1)} s`,
  );
  expect(high.grownMb - low.grownMb).toBeLessThan(further * SLACK);
}, 180_000);
