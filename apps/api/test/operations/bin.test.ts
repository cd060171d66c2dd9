import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import packageFacts from "../../package.json" with { type: "json" };

const BIN = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const run = (option: string): string =>
  execFileSync(process.execPath, ["--conditions=@swath/source", BIN, option], { encoding: "utf8" });

test("the command of the package prints its use and its version, and ends well", () => {
  expect(run("--help")).toMatch(/^Usage: swath-api \[COMMAND\]\n.*doctor/);
  expect(run("-h")).toBe(run("--help"));
  expect(run("--version")).toBe(`${packageFacts.version}\n`);
});
