import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Image } from "../src/style.ts";

test("the code in the README renders an NDVI tile", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const file = new URL("./readme-example.gen.ts", import.meta.url);
  writeFileSync(file, code);
  try {
    const { image }: { image: Image } = await import(file.href);
    expect([image.width, image.height, image.channels]).toEqual([256, 256, 1]);
    // NDVI of 2400 / 3200 is 0.75: 0.95 of the range, give or take the fraction that is cut off
    expect(image.data.filter((value) => value === 242).length).toBeGreaterThan(60000);
  } finally {
    rmSync(file);
  }
});
