import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DoctorReport, type UpstreamReport } from "@swath/doctor";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { CLOSED_PORT } from "../../../../test/tools/free-port.ts";
import { openFiles } from "../../src/open/collection-files.ts";
import { DOCTOR_USAGE, type DoctorCommandParts, runDoctorCommand } from "../../src/open/doctor/command.ts";
import { secretsOf } from "../../src/open/doctor/examined.ts";
import { reportFailingUpstreams } from "../../src/open/doctor/start.ts";
import { parseEnvironment } from "../../src/open/environment/environment.ts";

let upstream: ServedUpstream;
let folder: string;
/** A GeoTIFF with a place. */
const FILE = fileURLToPath(new URL("../../../../packages/cog/test/fixtures/deflate-uint16.tif", import.meta.url));
/** Answers in place of the archive. */
let fault: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), { intercept: (request) => fault?.(request) });
  folder = await mkdtemp(join(tmpdir(), "swath-doctor-"));
});
afterEach(() => {
  fault = undefined;
  upstream.resetRequests();
});
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

/** Keys for the bucket of Landsat, which the served archive is the S3 endpoint of. */
const variables = (): Record<string, string> => ({
  SWATH_UPSTREAM_URL: upstream.url,
  SWATH_DATA_DIR: folder,
  AWS_ENDPOINT_URL_S3: new URL(upstream.url).origin,
  AWS_ACCESS_KEY_ID: "AKIADOCTOR0000000001",
  AWS_SECRET_ACCESS_KEY: "a-secret-of-the-doctor",
});

interface Visit {
  readonly code: number;
  readonly text: string;
}

async function visit(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  options: Partial<DoctorCommandParts> = {},
): Promise<Visit> {
  const lines: string[] = [];
  const print = (line: string): number => lines.push(line);
  const environment = parseEnvironment({ ...variables(), ...more });
  const code = await runDoctorCommand(args, { environment, print, printError: print, ...options });
  return { code, text: lines.join("\n") };
}

async function reportOf(...visited: Parameters<typeof visit>): Promise<DoctorReport> {
  const [args, ...rest] = visited;
  return DoctorReport.parse(JSON.parse((await visit([...args, "--json"], ...rest)).text));
}

test("an upstream is examined with the service's own catalogs and keys, and its settings are named", async () => {
  const [only] = (await reportOf(["landsat-ot-l2", "dem"])).upstreams as [UpstreamReport];
  expect(only.collections.flatMap(({ steps }) => steps.map(({ status }) => status))).not.toContain("failed");
  const { search, asset, other } = upstream.requests;
  expect(only.requests).toBe(search + asset + other);
  const { code, text } = await visit([], { SWATH_UPSTREAM_URL: "https://stac.invalid/v1" });
  expect([code, text]).toEqual([1, expect.stringContaining("Look whether the address in SWATH_UPSTREAM_URL is right")]);
  const own = await visit(["own"], { SWATH_UPSTREAMS: `own=http://127.0.0.1:${CLOSED_PORT}` });
  expect([own.code, own.text]).toEqual([1, expect.stringContaining("the address in SWATH_UPSTREAMS is right")]);
});

test("secrets of every setting are kept from what is shown", () => {
  const environment = parseEnvironment({
    ...variables(),
    EARTHDATA_TOKEN: "tok/en+1234",
    SWATH_API_KEYS: "key-of-the-owner",
    SWATH_S3_KEYS: "cdse=ID123456:SECRET789",
  });
  expect([...secretsOf(environment)].sort()).toEqual(
    [
      "AKIADOCTOR0000000001",
      "ID123456",
      "SECRET789",
      "a-secret-of-the-doctor",
      "key-of-the-owner",
      "tok/en+1234",
    ].sort(),
  );
});

test("the synthetic archive: before its first start, and when it is made", async () => {
  const none = { SWATH_UPSTREAM_URL: "", AWS_ENDPOINT_URL_S3: "" };
  const before = await visit([], none);
  expect([before.code, before.text]).toEqual([
    0,
    expect.stringContaining("default | the synthetic archive, which the first start makes"),
  ]);
  await symlink(inject("sandbox"), join(folder, "sandbox"));
  const report = await reportOf([], none);
  await rm(join(folder, "sandbox"));
  const [only] = report.upstreams as [UpstreamReport];
  expect([report.status, only.requests, only.landingPage]).toEqual(["ok", 0, undefined]);
  expect(only.collections.map(({ id }) => id)).toContain("hls");
  expect(only.collections.flatMap(({ steps }) => steps.map(({ status }) => status))).not.toContain("skipped");
});

test("the owner's folder: how many items it has and what is left out, in place of the synthetic archive", async () => {
  const own = await mkdtemp(join(folder, "own-"));
  const look = (SWATH_ARCHIVE: string) => visit([], { SWATH_UPSTREAM_URL: "", SWATH_ARCHIVE });
  const empty = await look(own);
  expect(empty.code).toBe(1);
  expect(empty.text).toContain("- archive: There is no GeoTIFF and no item in the folder.\n  To do: Put scenes into");
  await mkdir(join(own, "field"));
  await copyFile(FILE, join(own, "field", "2024-05-01.tif"));
  await writeFile(join(own, "field", "2024-05-02.tif"), "no TIFF");
  const { code, text } = await look(own);
  expect(code).toBe(0);
  expect(text).toMatch(
    /^archive \| the owner's folder: 1 item, 1 file left out\n {2}not taken: "field\/2024-05-02\.tif": .+\n/,
  );
  const bands = join(own, "bands");
  await mkdir(bands);
  for (const name of ["B04.tif", "B08.tif"]) await copyFile(FILE, join(bands, name));
  expect((await look(bands)).text).toMatch(/\n {2}note: "B08\.tif": its name differs from "B04\.tif" by the band/);
  const absent = await look(join(own, "nowhere"));
  expect(absent.code).toBe(1);
  expect(absent.text).toMatch(/- archive: SWATH_ARCHIVE=".*nowhere": .*\n {2}To do: Name a folder/);
  expect((await visit(["default"], { SWATH_UPSTREAM_URL: "", SWATH_ARCHIVE: own })).code).toBe(2);
});

describe("the command line", () => {
  test("wrong use is 2, with the name that was meant", { tags: ["AF13"] }, async () => {
    expect(await visit(["landsat-ot-l3"])).toEqual({
      code: 2,
      text: `Neither an upstream nor a collection is called "landsat-ot-l3". Did you mean "landsat-ot-l2"?\n${DOCTOR_USAGE}`,
    });
    const option = await visit(["--jsno"]);
    expect([option.code, option.text]).toEqual([2, expect.stringContaining(DOCTOR_USAGE)]);
  });

  test("a collection without an upstream here is something that does not work, and says where it comes from", async () => {
    const { code, text } = await visit(["hls"]);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(
        "- hls: hls has no upstream here: it comes from lpcloud or pc.\n  To do: Name the address of that upstream: SWATH_UPSTREAMS=lpcloud=https://….",
      ),
    ]);
  });

  test("the process ends with the code: 2 for a wrong setting, 0 where there is nothing but an archive to be made", {
    tags: ["AF13"],
  }, async () => {
    const command = join(import.meta.dirname, "..", "..", "src", "commands", "doctor.ts");
    const run = (environment: Record<string, string>): Promise<readonly [code: unknown, out: string, err: string]> =>
      new Promise((done) => {
        const env = { PATH: process.env.PATH, SWATH_DATA_DIR: folder, ...environment };
        execFile(process.execPath, ["--conditions=@swath/source", command], { env }, (error, out, err) =>
          done([error === null ? 0 : error.code, out, err]),
        );
      });
    const [[wrong, , said], [code, out]] = await Promise.all([run({ PORT: "many" }), run({})]);
    expect([wrong, said]).toEqual([2, expect.stringContaining('swath: PORT="many"')]);
    expect([code, out]).toEqual([0, expect.stringMatching(/All well \(\d+\.\d\d s\)\.\n$/)]);
  });

  test("collection files that cannot be used are thrown before anything is asked", async () => {
    await writeFile(join(folder, "bad.json"), "{}");
    await expect(visit([], { SWATH_COLLECTIONS_DIR: folder })).rejects.toMatchObject({ name: "EnvironmentError" });
    await rm(join(folder, "bad.json"));
    expect(upstream.requests).toEqual({ search: 0, asset: 0, other: 0, bytes: 0 });
  });
});

describe("at start", () => {
  const lines: [unknown, string][] = [];
  const log = { warn: (facts: unknown, line: string) => lines.push([facts, line]) } as unknown as Parameters<
    typeof reportFailingUpstreams
  >[2]["log"];
  const report = (more: Record<string, string>, signal = new AbortController().signal): Promise<void> => {
    const environment = parseEnvironment({ ...variables(), ...more });
    return reportFailingUpstreams(environment, openFiles(environment), { log, signal });
  };
  afterEach(() => {
    lines.length = 0;
  });

  test("an upstream that fails is one line in the same words, one that answers is none", {
    tags: ["AF15"],
  }, async () => {
    const host = `127.0.0.1:${CLOSED_PORT}`;
    await report({ SWATH_UPSTREAMS: `own=http://${host}` });
    expect(lines).toEqual([
      [
        { upstream: "own" },
        `own, landing page: The upstream did not answer: connect ECONNREFUSED ${host}. To do: Look whether the address in SWATH_UPSTREAMS is right, and whether this machine reaches ${host} (names, proxy, firewall).`,
      ],
    ]);
    expect(upstream.requests).toMatchObject({ search: 0, asset: 0, other: 1 });
  });

  test("a stop ends it, without a line", { tags: ["AF15"] }, async () => {
    fault = () => new Promise(() => {});
    const stop = new AbortController();
    const done = report({}, stop.signal);
    stop.abort();
    await done;
    expect(lines).toEqual([]);
  });
});
