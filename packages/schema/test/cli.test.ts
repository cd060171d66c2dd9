import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { type ExitCode, runCli } from "../src/cli-run.ts";
import { schemaJsonSchema } from "../src/document/document-model.ts";
import { defaultRegistry } from "../src/index.ts";

async function run(args: string[], files: Readonly<Record<string, string>> = {}) {
  let out = "";
  let warnings = "";
  const code: ExitCode = await runCli(args, {
    read: async (file) => {
      const text = files[file];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
    write: (text) => {
      out += text;
    },
    warn: (text) => {
      warnings += text;
    },
  });
  return { code, out, warnings };
}

test("check passes right names and fails wrong ones", async () => {
  const files = { right: "B04 cloud", wrong: "B04\nclouds" };
  expect(await run(["check", "right"], files)).toEqual({
    code: 0,
    out: "1 file, 0 errors, 0 warnings\n",
    warnings: "",
  });
  const { code, out } = await run(["check", "right", "wrong"], files);
  expect(code).toBe(1);
  expect(out).toContain('wrong:2:1: error unknown-name: Nothing in the schema is called "clouds".');
  expect(out).toContain("2 files, 1 error, 0 warnings");
});

test("warnings fail only when asked to be strict", async () => {
  const files = { item: '{"type": "Feature", "assets": {}}' };
  expect((await run(["check", "item"], files)).code).toBe(0);
  expect((await run(["check", "--strict", "item"], files)).code).toBe(1);
  expect((await run(["check", "--strict", "--collection", "S2L2A", "item"], files)).code).toBe(0);
});

test("formats for machines parse", async () => {
  for (const format of ["json", "sarif"]) {
    const { out, code } = await run(["check", "--format", format, "a"], { a: "x" });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toBeTypeOf("object");
  }
});

test.each([
  { args: [], says: "Expected a command" },
  { args: ["lint"], says: 'No command is called "lint"' },
  { args: ["check"], says: "Expected at least one file" },
  { args: ["check", "missing"], says: "Cannot read missing: no such file" },
  { args: ["check", "--format", "xml", "a"], says: 'got "xml"' },
  { args: ["check", "--colour", "a"], says: "colour" },
  { args: ["check", "--collection", "S2L2B", "a"], says: 'Did you mean "S2L2A"?' },
  { args: ["diff"], says: "Expected one or two schema documents" },
  { args: ["diff", "a"], says: "a is not JSON" },
  { args: ["diff", "b"], says: "b is not a schema document" },
])("$args cannot be carried out and says why", async ({ args, says }) => {
  const { code, out, warnings } = await run(args, { a: "B04", b: "{}" });
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(warnings).toContain(says);
});

test("diff fails on what breaks and passes on what is added", async () => {
  const older = defaultRegistry.schemaData();
  older["svc:schemaVersion"] = "0.9.0";
  older.bands["sentinel-2-l2a"]?.pop();
  const same = JSON.stringify(defaultRegistry.schemaData());
  expect((await run(["diff", "same"], { same })).code).toBe(0);
  const added = await run(["diff", "older"], { older: JSON.stringify(older) });
  expect(added).toMatchObject({ code: 0 });
  expect(added.out).toContain("addition added: bands/sentinel-2-l2a/SNW");
  const removed = await run(["diff", "same", "older", "--format", "json"], { same, older: JSON.stringify(older) });
  expect(removed.code).toBe(1);
  expect(JSON.parse(removed.out)).toMatchObject({ needs: "major", changes: [{ level: "breaking", kind: "removed" }] });
});

test("print gives the shipped bytes, help gives the usage", async () => {
  expect((await run(["print"])).out).toBe(defaultRegistry.schemaDocument());
  expect((await run(["print", "--json-schema"])).out).toBe(schemaJsonSchema());
  expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("Usage:") });
});

const folder = mkdtempSync(join(tmpdir(), "swath-schema-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the command itself reads files and the standard input and exits with the code", async () => {
  const file = join(folder, "names.txt");
  writeFileSync(file, "B04\nnir80\n");
  const command = fileURLToPath(import.meta.resolve("../src/cli.ts"));
  const options = { env: { ...process.env, NODE_OPTIONS: "" } };
  const args = ["--conditions=@swath/source", command, "check"];
  const failed = await promisify(execFile)(process.execPath, [...args, file], options).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file}:2:1: error`) });
  const piped = promisify(execFile)(process.execPath, [...args, "-"], options);
  piped.child.stdin?.end("SR_B4");
  expect((await piped).stdout).toBe("1 file, 0 errors, 0 warnings\n");
});
