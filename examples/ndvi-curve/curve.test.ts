import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const PYTHON = "/usr/bin/python3";

function hasMatplotlib(): boolean {
  try {
    execFileSync(PYTHON, ["-c", "import matplotlib"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasMatplotlib())("the program draws a table of the service, masked observations apart", () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-curve-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const table = [
    "datetime,itemId,collection,platform,value,validFraction,harmonization",
    "2024-07-04T10:07:41.586Z,S2B_1,sentinel-2-l2a,sentinel-2b,0.535,1,bandpass_adjusted",
    "2024-07-05T09:51:26.656Z,LC08_1,landsat-ot-l2,landsat-8,0.536,1,bandpass_adjusted",
    "2024-07-06T09:59:41.586Z,S2A_1,sentinel-2-l2a,sentinel-2a,,0,bandpass_adjusted",
    "",
  ].join("\r\n");
  const image = join(folder, "ndvi.png");
  const printed = execFileSync(PYTHON, [join(import.meta.dirname, "curve.py"), image], {
    input: table,
    encoding: "utf8",
    env: { ...process.env, MPLCONFIGDIR: folder },
  });
  expect(printed.trim()).toBe(`2 values and 1 masked observations in ${image}`);
  expect(readFileSync(image).subarray(1, 4).toString()).toBe("PNG");
});
