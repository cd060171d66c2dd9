import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type DoctorCommandParts, runDoctorCommand } from "../../apps/api/src/open/doctor/command.ts";
import { parseEnvironment } from "../../apps/api/src/open/environment/environment.ts";
import { FULL_FILES } from "../../apps/api/src/open/served-files.ts";
import { DoctorReport, reportLines } from "../../packages/doctor/src/index.ts";
import { isVirtualFile } from "../../packages/schema/src/files.ts";
import { upstreamVariables } from "./deployment.ts";
import { passPauses } from "./passed-pauses.ts";
import { type Replay, startReplay } from "./server.ts";

const { SWATH_FIXTURES } = process.env;

/** Collections of which items were recorded at the upstreams that they come from. */
const RECORDED = [
  "sentinel-2-l2a",
  "landsat-ot-l2",
  "dem",
  "sentinel-2-l1c",
  "sentinel-1-rtc",
  "hls",
  "landsat-mss-l1",
  "cdse",
];

const ALL_WELL = `\
default | Earth Search v1 | https://earth-search.aws.element84.com/v1
  landing page 0.00 s 3.4 kB; all together 19 requests, 0.00 s 223.8 kB
  collection      search          second page     item            bands     header         block
  sentinel-2-l2a  0.00 s 36.6 kB  0.00 s 36.1 kB  0.00 s 17.6 kB  17 of 17  0.00 s 4.6 kB  with header
  landsat-ot-l2   0.00 s 25.9 kB  one page        0.00 s 25.0 kB  19 of 19  0.00 s 8.0 kB  with header
  dem             0.00 s 6.4 kB   0.00 s 3.5 kB   0.00 s 2.8 kB   1 of 1    0.00 s 9.3 kB  with header
  sentinel-2-l1c  0.00 s 20.6 kB  0.00 s 10.7 kB  0.00 s 10.0 kB  13 of 13  0.00 s 3.0 kB  0.00 s 398 B

pc | Microsoft Planetary Computer | https://planetarycomputer.microsoft.com/api/stac/v1
  landing page 0.00 s 24.9 kB; all together 5 requests, 0.00 s 67.2 kB
  collection      search         second page  item           bands   header          block
  sentinel-1-rtc  0.00 s 6.1 kB  one page     0.00 s 5.8 kB  2 of 4  0.00 s 30.4 kB  with header

lpcloud | NASA CMR-STAC | https://cmr.earthdata.nasa.gov/stac/LPCLOUD
  landing page 0.00 s 1.5 kB; all together 8 requests, 0.00 s 69.7 kB
  collection  search          second page     item            bands     header         block
  hls         0.00 s 29.3 kB  0.00 s 23.0 kB  0.00 s 10.9 kB  15 of 20  0.00 s 5.0 kB  with header

usgs | USGS LandsatLook | https://landsatlook.usgs.gov/stac-server
  landing page 0.00 s 3.1 kB; all together 5 requests, 0.00 s 57.0 kB
  collection      search          second page     item           bands   header         block
  landsat-mss-l1  0.00 s 20.3 kB  0.00 s 20.3 kB  0.00 s 9.1 kB  6 of 6  0.00 s 4.2 kB  with header

cdse | Copernicus Data Space | https://stac.dataspace.copernicus.eu/v1
  landing page 0.00 s 3.8 kB; all together 1 request, 0.00 s 3.8 kB
  no collection of it is asked for

All well (0.00 s).`;

const TWO_BROKEN = `\
default | Earth Search v1 | https://earth-search.aws.element84.com/v1
  landing page 0.00 s 3.4 kB; all together 19 requests, 0.00 s 223.8 kB
  collection      search          second page     item            bands     header         block
  sentinel-2-l2a  0.00 s 36.6 kB  0.00 s 36.1 kB  0.00 s 17.6 kB  17 of 17  0.00 s 4.6 kB  with header
  landsat-ot-l2   0.00 s 25.9 kB  one page        0.00 s 25.0 kB  19 of 19  0.00 s 8.0 kB  with header
  dem             0.00 s 6.4 kB   0.00 s 3.5 kB   0.00 s 2.8 kB   1 of 1    0.00 s 9.3 kB  with header
  sentinel-2-l1c  0.00 s 20.6 kB  0.00 s 10.7 kB  0.00 s 10.0 kB  13 of 13  0.00 s 3.0 kB  0.00 s 398 B

pc | Microsoft Planetary Computer | https://planetarycomputer.microsoft.com/api/stac/v1
  landing page FAILS; all together 6 requests, 0.00 s 0 B
  collection      search  second page  item  bands  header  block
  sentinel-1-rtc  FAILS   -            -     -      -       -

lpcloud | NASA CMR-STAC | https://cmr.earthdata.nasa.gov/stac/LPCLOUD
  landing page 0.00 s 1.5 kB; all together 7 requests, 0.00 s 64.7 kB
  collection  search          second page     item            bands     header  block
  hls         0.00 s 29.3 kB  0.00 s 23.0 kB  0.00 s 10.9 kB  15 of 20  FAILS   -

usgs | USGS LandsatLook | https://landsatlook.usgs.gov/stac-server
  landing page 0.00 s 3.1 kB; all together 5 requests, 0.00 s 57.0 kB
  collection      search          second page     item           bands   header         block
  landsat-mss-l1  0.00 s 20.3 kB  0.00 s 20.3 kB  0.00 s 9.1 kB  6 of 6  0.00 s 4.2 kB  with header

cdse | Copernicus Data Space | https://stac.dataspace.copernicus.eu/v1
  landing page 0.00 s 3.8 kB; all together 1 request, 0.00 s 3.8 kB
  no collection of it is asked for

What does not work:
- pc, landing page, search of sentinel-1-rtc: The upstream answered 504: it is down or overloaded.
  To do: Nothing to mend here. Run the doctor again later.
- lpcloud, header of hls: The archive refuses the service's token of NASA Earthdata (EARTHDATA_TOKEN): wrong or expired.
  To do: Make a token at https://urs.earthdata.nasa.gov (Generate Token, good for 60 days), put it into EARTHDATA_TOKEN, and start the service again.
Not all well (0.00 s).`;

interface Visit {
  readonly code: number;
  readonly lines: readonly string[];
  readonly text: string;
}

describe.skipIf(SWATH_FIXTURES === undefined)("the doctor over replayed archives", () => {
  let replay: Replay;
  let uninstall: () => void;
  let endPauses: () => void;
  beforeAll(async () => {
    endPauses = passPauses();
    replay = await startReplay({ fixtures: SWATH_FIXTURES ?? "" });
    uninstall = replay.install();
  });
  /** Times after which something was to be ended. Nothing is: what the archives answer is there, however slow the machine. */
  const times: number[] = [];
  beforeEach(() => {
    times.length = 0;
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      times.push(ms);
      return new AbortController().signal;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    replay.reset();
  });
  afterAll(async () => {
    uninstall();
    await replay.close();
    endPauses();
  });

  /** Runs the command and returns its output; times are all 0, so that tables are the same on any machine. */
  const visit = async (
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
    options: Partial<DoctorCommandParts> = {},
  ): Promise<Visit> => {
    const lines: string[] = [];
    const print = (line: string): number => lines.push(line);
    const environment = parseEnvironment({ ...upstreamVariables(replay), ...variables });
    const code = await runDoctorCommand(args, { environment, print, printError: print, now: () => 0, ...options });
    return { code, lines, text: lines.join("\n") };
  };
  /** Requests that an upstream and the hosts of its files have seen. */
  const asked = (...hosts: readonly string[]): number =>
    hosts.reduce((sum, host) => sum + replay.asked(host).length, 0);

  test("all well", { tags: ["AF13"] }, async () => {
    const { code, text } = await visit(RECORDED);
    expect(text).toBe(ALL_WELL);
    expect(code).toBe(0);
  });

  test("two archives broken in different ways: an Earthdata token that is over, and Planetary Computer that answers 504", {
    tags: ["AF13"],
  }, async () => {
    replay.fail("https://planetarycomputer.microsoft.com/api/stac", 504);
    const { code, text } = await visit(RECORDED, { EARTHDATA_TOKEN: "a-token-of-last-year" });
    expect(text).toBe(TWO_BROKEN);
    expect(code).toBe(1);
  });

  test("CMR-STAC answers 503, Amazon's keys are missing, and a token says itself that it is over", {
    tags: ["AF13"],
  }, async () => {
    const mend = replay.fail("https://cmr.earthdata.nasa.gov", 503);
    const withoutKeys = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" };
    const { code, lines } = await visit(["hls", "landsat-ot-l2"], withoutKeys);
    expect(lines.slice(lines.indexOf("What does not work:"), -1)).toEqual([
      "What does not work:",
      "- default, header of landsat-ot-l2: The service has no AWS keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).",
      "  To do: Put keys of an AWS account into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: it pays for what is read of this bucket, and needs nothing but s3:GetObject.",
      "- lpcloud, landing page, search of hls: The upstream answered 503: it is down or overloaded.",
      "  To do: Nothing to mend here. Run the doctor again later.",
    ]);
    expect(code).toBe(1);
    mend();
    const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url");
    const { text } = await visit(["hls"], { EARTHDATA_TOKEN: `e30.${claims}.sig` }, { now: Date.now });
    expect(text).toContain("- lpcloud, header of hls: The service's token has expired (EARTHDATA_TOKEN).\n");
  });

  test("files on hosts that are not allowed name the host to allow", { tags: ["AF13"] }, async () => {
    const { lines } = await visit(["hls", "landsat-ot-l2"], { SWATH_ASSET_HOSTS: "files.example.org" });
    expect(lines.filter((line) => /^(- | {2}To do)/.test(line))).toEqual([
      "- default, header of landsat-ot-l2: s3://usgs-landsat/collection02/level-2/standard/oli-tirs/2023/033/032/LC08_L2SP_033032_20231008_20231017_02_T1/LC08_L2SP_033032_20231008_20231017_02_T1_SR_B1.TIF: files may not be read from usgs-landsat.",
      "  To do: If you trust it, add s3://usgs-landsat to `storage.hosts` of the collection file, or to SWATH_ASSET_HOSTS with all other hosts that files are read from.",
      "- lpcloud, header of hls: https://data.lpdaac.earthdatacloud.nasa.gov/lp-prod-protected/HLSL30.020/HLS.L30.T15UWP.2024042T165831.v2.0/HLS.L30.T15UWP.2024042T165831.v2.0.B01.tif: files may not be read from data.lpdaac.earthdatacloud.nasa.gov.",
      "  To do: If you trust it, add data.lpdaac.earthdatacloud.nasa.gov to `storage.hosts` of the collection file, or to SWATH_ASSET_HOSTS with all other hosts that files are read from.",
    ]);
  });

  test("Copernicus Data Space with one's own collection file: JPEG 2000 is read with its keys, or they are named", async () => {
    const folder = await mkdtemp(join(tmpdir(), "swath-doctor-"));
    const builtIn = FULL_FILES.collections.find(({ id }) => id === "sentinel-2-l2a");
    if (builtIn === undefined || isVirtualFile(builtIn)) throw new Error("Expected a file of Sentinel-2.");
    const { fallbacks: _, ...upstream } = builtIn.upstream;
    const bucket = { name: "eodata", region: "default", requesterPays: false, signed: true, keys: "cdse" };
    const own = {
      ...builtIn,
      id: "sentinel-2-cdse",
      aliases: [],
      memberOf: [],
      upstream: { ...upstream, name: "cdse", collection: "sentinel-2-l2a" },
      storage: {
        buckets: [{ ...bucket, endpoint: "https://eodata.dataspace.copernicus.eu" }],
        hosts: ["s3://eodata"],
      },
    };
    try {
      await writeFile(join(folder, "own.json"), JSON.stringify(own));
      const good = await visit(["cdse"], { SWATH_COLLECTIONS_DIR: folder });
      expect(good.text).toMatch(/^All well/m);
      const { code, text } = await visit(["cdse"], { SWATH_COLLECTIONS_DIR: folder, SWATH_S3_KEYS: "" });
      expect([code, text]).toEqual([
        1,
        expect.stringContaining(
          '- cdse, header of sentinel-2-cdse: The service has no S3 keys called "cdse" (SWATH_S3_KEYS).\n  To do: Put the keys of this S3 service into SWATH_S3_KEYS, as cdse=ID:SECRET.',
        ),
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("everything that the service has, as JSON, within the bounds of requests and time", {
    tags: ["AF14"],
  }, async () => {
    const { code, text } = await visit(["--json"], {}, { now: Date.now });
    const report = DoctorReport.parse(JSON.parse(text));
    const counts = Object.fromEntries(report.upstreams.map(({ name, requests }) => [name, requests]));
    expect(Object.values(counts).every((count) => count <= 20)).toBe(true);
    expect(counts).toEqual({
      default: asked(
        "earth-search.aws",
        "e84-earth-search",
        "/collection02/level-2/",
        "copernicus-dem-30m",
        "sentinel-s2-l1c",
      ),
      pc: asked("planetarycomputer", "blob.core.windows.net"),
      lpcloud: asked("cmr.earthdata", "data.lpdaac", "cloudfront"),
      usgs: asked("landsatlook", "/collection02/level-1/"),
      cdse: asked("dataspace"),
    });
    // upstreams are examined side by side, and each is ended after 50 s
    expect(times.filter((ms) => ms === 50_000)).toHaveLength(report.upstreams.length);
    expect(Math.max(...times)).toBeLessThan(60_000);
    // no items of ETM+ and TM were recorded at Earth Search, and at USGS those of MSS alone
    const failing = report.upstreams.flatMap(({ collections }) =>
      collections.filter(({ steps }) => steps.some(({ status }) => status === "failed")).map(({ id }) => id),
    );
    expect(failing).toEqual(["landsat-etm-l2", "landsat-tm-l2", "landsat-ot-l1", "landsat-etm-l1", "landsat-tm-l1"]);
    expect(code).toBe(1);
  });

  test("what is printed has neither tokens nor keys nor signed queries, whatever fails", {
    tags: ["AF14"],
  }, async () => {
    const { amazon, earthdata } = replay.credentials;
    // pauses between tries are random, so not whole milliseconds, and pass at once; limits of time are whole
    const { setTimeout: start } = globalThis;
    const sooner = (then: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): NodeJS.Timeout =>
      start(then, Number.isInteger(ms) ? ms : 0, ...given);
    vi.spyOn(globalThis, "setTimeout").mockImplementation(sooner as typeof setTimeout);
    for (const answer of [200, 400, 401, 403, 500]) {
      for (const host of ["cmr.earthdata", "cloudfront", "blob.core.windows.net", "api/sas", "usgs-landsat"]) {
        const body = `<Code>Odd</Code> ${earthdata} ${amazon.secretAccessKey} https://files.example/x?sig=abcdef`;
        replay.fail(host, { status: answer, headers: { "content-type": "text/html" }, body });
      }
      const { text } = await visit(["hls", "sentinel-1-rtc", "landsat-ot-l2", "--json"]);
      expect(replay.records.map(({ status }) => status)).toContain(answer);
      const lines = [text, ...reportLines(DoctorReport.parse(JSON.parse(text)))];
      for (const secret of [earthdata, amazon.secretAccessKey, amazon.accessKeyId, "sig=", "Signature", "abcdef"]) {
        expect(lines.join("\n")).not.toContain(secret);
      }
      replay.reset();
    }
  });
});
