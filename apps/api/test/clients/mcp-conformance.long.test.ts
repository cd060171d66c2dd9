import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FULL } from "../tools/harness.ts";
import { type Served, serveSandbox } from "./served.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const SUITE = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

/** Scenarios for any server. The others call tools, resources and prompts that only a server made for the suite has. */
const GENERAL = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"];
/** Scenarios of things that this server does not have, by the reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "needs tools of the suite's own": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "server-sse-polling",
    "server-sse-multiple-streams",
  ],
  "asks the client in the middle of a call": [
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ],
  "needs resources of the suite's own": ["resources-read-text", "resources-read-binary", "resources-templates-read"],
  "resources do not change": ["resources-subscribe", "resources-unsubscribe"],
  "there are no prompts, no completions and no log of the server": [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "completion-complete",
    "logging-set-level",
  ],
};

let served: Served;
beforeAll(async () => {
  // the suite has no way to send a key
  served = await serveSandbox(FULL, { addsKey: true });
});
afterAll(() => served?.close());

test("every scenario of the suite is run here, or named with why it is not", { tags: ["MC13"] }, async () => {
  const { stdout } = await run(process.execPath, [SUITE, "list"]);
  const listed = stdout.slice(0, stdout.indexOf("Client scenarios")).matchAll(/^ {2}- (\S+)/gm);
  expect([...GENERAL, ...Object.values(OTHERS).flat()].sort()).toEqual([...listed].map(([, name]) => name).sort());
});

test.each(GENERAL)("the conformance suite's scenario %s passes", { tags: ["MC13"] }, async (scenario) => {
  const found = await run(process.execPath, [SUITE, "server", "--url", `${served.url}/mcp`, "--scenario", scenario], {
    timeout: 110_000,
  }).catch((error: { stdout: string; stderr: string }) => error);
  expect(`${found.stdout}${found.stderr}`).toMatch(/(?<!\d)0 failed/);
});
