import { execFileSync } from "node:child_process";
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MergeableCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CLOSED_PORT } from "../../../test/tools/free-port.ts";
import { type Context, EXIT } from "../src/index.ts";
import { openScenes } from "../src/open-scenes.ts";
import { type Ran, runCommand } from "./run-command.ts";

const BBOX = [13.25, 45.5, 13.29, 45.53] as const;
const registry = createRegistry(BUILT_IN_FILES.filter(({ id }) => id !== "sentinel-2-l1c")).withUpstreams(["default"]);
let folder: string;
let catalog: MergeableCatalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-commands-"));
  catalog = await openArchive(inject("sandbox"), { registry });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const swath = (args: readonly string[], replaced: Partial<Context> = {}): Promise<Ran> => {
  const openScenes = async () => ({ registry, catalog, sources: { archiveDirectory: inject("sandbox") } });
  return runCommand(args, { openScenes, environment: { SWATH_DATA_DIR: folder }, ...replaced });
};

async function done(...args: string[]): Promise<Buffer> {
  const { code, out, err } = await swath(args);
  expect(`${code} ${code === 0 ? "" : err}`).toBe("0 ");
  return out;
}
const json = async (...args: string[]) => JSON.parse((await done("--json", ...args)).toString());

describe("faults are one line each, with the option and what to do, and an exit code", () => {
  test.each([
    [
      ["search", "--collection", "nope"],
      EXIT.usage,
      /^swath: --collection: No collection is called "nope"\..* `swath collections` lists them\.\n$/,
    ],
    [["search", "--bbox", "1,2,3"], EXIT.usage, /^swath: --bbox: Expected 4 or 6 numbers/],
    [["search", "--filter", "x <"], EXIT.usage, /^swath: --filter: /],
    [["collections", "nope"], EXIT.usage, /^swath: .*"nope"/],
    [["tile", "nope", "9", "1", "1"], EXIT.usage, /^swath: preset: No preset is called "nope"/],
    [["tile", "ndvi", "30", "1", "1"], EXIT.usage, /^swath: z: Expected a zoom from 7 to 14, got 30\.\n$/],
    [["tile", "ndvi", "9", "1", "x"], EXIT.usage, /^swath: Expected a whole number, got "x"\.\n$/],
    [
      ["tile", "ndvi", "9", "275", "182", "-o", "a.gif"],
      EXIT.usage,
      /^swath: --output: Expected a name that ends in \.png/,
    ],
    [["series", "--index", "ndvi"], EXIT.usage, /^swath: Expected --lon and --lat, or --area\.\n$/],
    [
      ["series", "--lon", "13", "--lat", "45", "--index", "ndvy", "--time", "2024"],
      EXIT.usage,
      /^swath: --(index|time): /,
    ],
    [
      ["stats", "--bbox", "13,45,13.1,45.1", "--index", "ndvi", "--time", "2024-01-01/2024-02-01"],
      EXIT.usage,
      /^swath: --collection: Expected one collection, got 0\.\n$/,
    ],
    [
      ["stats", "--area", "/nowhere.geojson", "--time", "2024"],
      EXIT.usage,
      /^swath: --area: \/nowhere\.geojson cannot be read: no such file or directory\.\n$/,
    ],
    [
      ["extract", "--bbox", "0,0,0.01,0.01", "--collection", "sentinel-2-l2a", "--time", "2024-07-01/2024-07-10"],
      EXIT.failed,
      /^swath: There is no scene .* `swath search` shows which scenes there are\.\n$/,
    ],
    [
      [
        "extract",
        "--bbox",
        "13,45,14,46",
        "--collection",
        "sentinel-2-l2a",
        "--time",
        "2024-07-01/2024-07-10",
        "--size",
        "20000,20000",
      ],
      EXIT.usage,
      /^swath: .*Ask for fewer pixels by --size/,
    ],
    [["validate", "/nowhere.tif"], EXIT.failed, /^swath: .*nowhere\.tif: no such file\.\n$/],
    [["nothing"], EXIT.usage, /^error: unknown command 'nothing'/],
    [["search", "--limit", "many"], EXIT.usage, /--limit.*Expected a whole number/],
    [["search", "--order", "worst"], EXIT.usage, /unknown option '--order'/],
    [["stats", "--res", "10"], EXIT.usage, /^error: unknown option '--res'\n\(Did you mean --resolution\?\)\n/],
    [["search", "--res", "10"], EXIT.usage, /^error: unknown option '--res'\n\(swath --help/],
    [["search", "--catalogue", "x"], EXIT.usage, /\(Did you mean --catalog\?\)/],
    [["stats", "--size", "10,wide"], EXIT.usage, /Expected a number, got "wide"\.\n/],
  ] as const)("%j", async (args, code, words) => {
    const ran = await swath(args);
    expect(ran.err).toMatch(words);
    expect(ran.code).toBe(code);
    expect(ran.out.length).toBe(0);
  });

  test("a catalog that does not answer is named by its address", async () => {
    const url = `http://127.0.0.1:${CLOSED_PORT}/v1`;
    const { code, err } = await runCommand(["--catalog", url, "search"], { openScenes });
    expect(code).toBe(EXIT.failed);
    expect(err).toMatch(/^swath: http:\/\/127\.0\.0\.1:2\/v1: The upstream did not answer/);
  });

  test("a signal ends a command with 130 and one line", async () => {
    const signal = AbortSignal.abort(new Error("SIGINT"));
    const ran = await swath(
      ["series", "--lon", "13.27", "--lat", "45.51", "--time", "2024-01-01/..", "--index", "ndvi"],
      { signal },
    );
    expect(ran).toMatchObject({ code: EXIT.ended, err: "swath: Ended before it was done.\n" });
  });

  test("progress is written on a terminal alone, and taken away", async () => {
    const args = [
      "stats",
      "--bbox",
      BBOX.join(),
      "--collection",
      "sentinel-2-l2a",
      "--bands",
      "red",
      "--time",
      "2024-07-01/2024-07-10",
      "--size",
      "8,8",
      "--json",
    ];
    expect((await swath(args)).err).toBe("");
    const watched = await swath(args, { isWatched: true });
    expect(watched.err.startsWith("\rReading scenes ...")).toBe(true);
    expect(watched.err.endsWith("\r\u001B[K")).toBe(true);
    expect(JSON.parse(watched.out.toString()).data).toHaveLength(1);
  });
});

describe("files", () => {
  const local = (name: string): string => join(import.meta.dirname, "../../cog/test/fixtures", name);

  test("info says what a file holds, as text and as JSON", async () => {
    const facts = await json("info", local("internal-mask.tif"));
    expect(facts).toMatchObject({
      valid: "mask",
      bands: expect.any(Number),
      size: [expect.any(Number), expect.any(Number)],
    });
    expect((await done("info", local("internal-mask.tif"))).toString()).toMatch(/^valid\s+mask$/m);
  });

  test("validate: 0 for a good file, 1 for one with errors, each with its rule and source", async () => {
    const good = await swath(["--json", "validate", local("lzw-uint8.tif")]);
    expect(good.code).toBe(EXIT.done);
    expect(JSON.parse(good.out.toString())).toMatchObject({ valid: true });
    const said = await swath(["validate", local("lzw-uint8.tif")]);
    expect(said.err).toContain("is a Cloud-Optimized GeoTIFF: 0 errors, 1 warning.");
    const scene = (await json("search", "--collection", "landsat-ot-l2", "--limit", "1")).features[0];
    const href = scene.assets.SR_B4.href.replace("archive:", `${inject("sandbox")}/`);
    const own = await swath(["validate", "--full", href]);
    expect(own.err).toContain("is a Cloud-Optimized GeoTIFF: 0 errors");
    // a file whose blocks are read from the wrong place is no COG: its first directory is said to be elsewhere
    const file = await readFile(href);
    const edited = Buffer.concat([file, file.subarray(file.readUInt32LE(4))]);
    edited.writeUInt32LE(file.length, 4);
    await writeFile(join(folder, "edited.tif"), edited);
    const bad = await swath(["--json", "validate", join(folder, "edited.tif")]);
    expect(bad.code).toBe(EXIT.failed);
    const { valid, findings } = JSON.parse(bad.out.toString());
    expect(valid).toBe(false);
    expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(["first-directory", "directory-order"]);
  });
});

describe("the file of a command", () => {
  const area = ["--collection", "sentinel-2-l2a", "--bands", "red", "--time", "2024-07-01/2024-07-10", "--size", "8,8"];
  const extract = ["extract", "--bbox", BBOX.join(), ...area];

  test.each([
    { kind: "GeoTIFF", name: "x.tif", args: extract },
    { kind: "image", name: "x.png", args: ["tile", "ndvi", "9", "275", "182"] },
  ])("takes the place of one of its name as a whole: $kind", async ({ name, args }) => {
    const work = await mkdtemp(join(folder, "whole-"));
    const path = join(work, name);
    await writeFile(path, "before");
    await link(path, join(work, "same"));
    await symlink(name, join(work, `to-${name}`));
    await done(...args, "-o", join(work, `to-${name}`));
    // had it been written into, bit by bit, the other name would show it
    expect(await readFile(join(work, "same"), "utf8")).toBe("before");
    expect((await readFile(path)).length).toBeGreaterThan(50);
    expect((await readdir(work)).sort()).toEqual(["same", `to-${name}`, name].sort());
  });

  test("is not there where it cannot be written, nor any part of it", async () => {
    const work = await mkdtemp(join(folder, "none-"));
    await mkdir(join(work, "x.tif"));
    expect((await swath([...extract, "-o", join(work, "x.tif")])).code).toBe(EXIT.failed);
    expect(await readdir(work)).toEqual(["x.tif"]);
    expect(await readdir(join(work, "x.tif"))).toEqual([]);
  });

  test("is written into a pipe that is named, which stays one", async () => {
    const path = join(await mkdtemp(join(folder, "pipe-")), "x.tif");
    execFileSync("mkfifo", [path]);
    const [read] = await Promise.all([readFile(path), done(...extract, "-o", path)]);
    expect(read.subarray(0, 2).toString()).toBe("II");
    expect((await lstat(path)).isFIFO()).toBe(true);
  });
});

test("help lists the commands, and --version the version", async () => {
  const help = (await done("--help")).toString();
  for (const name of ["search", "collections", "tile", "extract", "stats", "series", "info", "validate", "serve"]) {
    expect(help).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  }
  expect((await done("--version")).toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("the demo's answers are what it says of them", async () => {
  const { code, out, err } = await swath(["demo", folder]);
  expect(code).toBe(0);
  expect(err.match(/^\d\. .*\?$/gm)).toHaveLength(5);
  const rows = out.toString().split("\n");
  const shares = rows.flatMap((row) => /^2023.* expression +(\S+)/.exec(row)?.[1] ?? []);
  expect(shares.map((share) => Math.round(Number(share) * 100))).toEqual([2, 27, 5]);
  const values = rows.flatMap((row) => /^2022-(\d\d)\S+ +(0\.\d+)/.exec(row)?.slice(1) ?? []);
  const ofMonth = (month: string): number[] =>
    values.flatMap((value, i) => (value === month ? Number(values[i + 1]) : []));
  expect(Math.min(...ofMonth("05"))).toBeGreaterThan(0.8);
  expect(Math.max(...ofMonth("08"))).toBeLessThan(0.25);
  expect((await readdir(folder)).filter((name) => /^(flood\.png|fire\.tif)$/.test(name))).toHaveLength(2);
});
