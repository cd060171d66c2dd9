import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages } from "../workspace.ts";
import { demand, ROOT, tool } from "./host.ts";

test("the API reference has every export of every package, each with a docstring", async () => {
  await demand(tool("node"), ["scripts/reference.mjs", "--strict"], { cwd: ROOT });
  for (const { name, folder, manifest } of packages) {
    const page = await readFile(join(ROOT, "docs", "reference", `${name}.md`), "utf8");
    for (const target of Object.values(manifest.exports ?? {})) {
      if (typeof target === "string") continue;
      const script = `console.log(Object.keys(await import("${join(folder, target["@swath/source"] ?? "")}")).join())`;
      const args = ["--conditions=@swath/source", "--input-type=module", "-e", script];
      const names = (await demand(tool("node"), args, { cwd: folder })).trim().split(",");
      expect(names.filter((each) => !page.includes(`\n### ${each}\n`))).toEqual([]);
    }
  }
});
