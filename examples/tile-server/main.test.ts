import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";

test("the tile server has 30 lines and serves a tile of a file", async () => {
  const main = join(import.meta.dirname, "main.ts");
  expect(readFileSync(main, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  const [file = ""] = globSync("assets/**/S2B_T33TUL_20240704*/TCI.tif", { cwd: inject("sandbox") });
  const child = spawn(
    process.execPath,
    ["--conditions=@swath/source", main, join(inject("sandbox"), file), "0,1,2", "0", "255"],
    { env: { ...process.env, PORT: "0" } },
  );
  onTestFinished(() => void child.kill());
  const port = await new Promise<string>((resolve, reject) => {
    let printed = "";
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /port: (\d+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", () => reject(new Error(printed)));
  });
  const tile = await fetch(`http://127.0.0.1:${port}/9/274/182.png`);
  expect([tile.status, tile.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const bytes = new Uint8Array(await tile.arrayBuffer());
  expect(String.fromCharCode(...bytes.subarray(1, 4))).toBe("PNG");
  expect(bytes.length).toBeGreaterThan(20_000);
  expect((await fetch(`http://127.0.0.1:${port}/9/10/10.png`)).status).toBe(204);
  expect((await fetch(`http://127.0.0.1:${port}/9/512/0.png`)).status).toBe(404);
});
