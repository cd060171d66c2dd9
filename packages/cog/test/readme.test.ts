import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { fixture, fixtures } from "./fixtures.ts";
import { sendRange, serve } from "./http-server.ts";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

describe.skipIf(fixtures === undefined)("the README", () => {
  test("its example runs", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
    const bytes = fixture("cog/sentinel-2-l2a/S2A_29RKH_20200219_0_L2A/B04.tif");
    const served = await serve((request, response) => sendRange(request, response, bytes));
    writeFileSync(
      script,
      code.replace('"@swath/cog"', '"../src/index.ts"').replace("(url)", `("${served.url}/B04.tif")`),
    );
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await import(script.href);
    expect(log).toHaveBeenCalledWith(3, 4096, 65_536);
    log.mockRestore();
    await served.close();
  });
});
