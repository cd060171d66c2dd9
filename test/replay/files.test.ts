import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasGdal } from "../../apps/api/test/tools/gdal.ts";
import { canonicalRequest, signatureOf } from "../tools/s3-signature.ts";
import { storedValues } from "./files/contents.ts";
import type { Json } from "./recordings.ts";
import { type Replay, startReplay } from "./server.ts";

const { SWATH_FIXTURES } = process.env;
const run = promisify(execFile);

describe.skipIf(SWATH_FIXTURES === undefined)("files of the replayed archives", () => {
  let replay: Replay;
  let clock = Date.parse("2026-06-16T12:00:00Z");
  beforeAll(async () => {
    replay = await startReplay({ fixtures: SWATH_FIXTURES ?? "", now: () => clock });
  });
  afterAll(() => replay.close());

  const hrefOf = (name: keyof Replay["world"]["upstreams"], collection: string, key: string): string => {
    const item = replay.world.upstreams[name].items.find((each) => each.collection === collection);
    return String(item?.assets[key]?.href);
  };
  const s3Url = (href: string, region: string): string => {
    const [, bucket = "", key = ""] = /^s3:\/\/([^/]+)\/(.+)$/.exec(href) ?? [];
    return `https://${bucket}.s3.${region}.amazonaws.com/${key}`;
  };
  const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
    (await replay.fetch(url, { headers, redirect: "manual" })).status;

  /** Headers signed with Signature Version 4. */
  const signed = (url: string, more: Record<string, string>, region: string, time: number): Record<string, string> => {
    const { accessKeyId, secretAccessKey } = replay.credentials.amazon;
    const date = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const headers = { ...more, "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": date };
    const names = ["host", ...Object.keys(headers)].sort();
    const request = {
      method: "GET",
      target: new URL(url).pathname,
      headers: { ...headers, host: new URL(url).host },
    };
    const canonical = canonicalRequest(request, names, "UNSIGNED-PAYLOAD");
    const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
    const signature = signatureOf(canonical, date, scope, secretAccessKey);
    const claim = `Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
    return { ...headers, authorization: `AWS4-HMAC-SHA256 ${claim}` };
  };

  test("buckets know their region, their readers and who pays", async () => {
    const dem = hrefOf("earth-search", "cop-dem-glo-30", "data");
    expect(await status(s3Url(dem, "eu-central-1"), { range: "bytes=0-9" })).toBe(206);
    expect(await status(s3Url(dem, "us-west-2"))).toBe(301);
    expect(await status(s3Url(`${dem}x`, "eu-central-1"))).toBe(404);
    const africa = replay.recordings.items("digital-earth-africa")[0]?.assets.red?.href as string;
    expect(await status(s3Url(africa, "af-south-1"))).toBe(200);
    expect(await status(s3Url(africa, "us-west-2"))).toBe(400);
    const landsat = s3Url(hrefOf("earth-search", "landsat-c2-l2", "red"), "us-west-2");
    expect(await status(landsat)).toBe(403);
    const payer = { "x-amz-request-payer": "requester" };
    expect(await status(landsat, signed(landsat, {}, "us-west-2", clock))).toBe(403);
    expect(await status(landsat, signed(landsat, payer, "eu-central-1", clock))).toBe(400);
    expect(await status(landsat, signed(landsat, payer, "us-west-2", clock - 86_400_000))).toBe(403);
    expect(await status(landsat, signed(landsat, payer, "us-west-2", clock))).toBe(200);
    const publicFile = s3Url(dem, "eu-central-1");
    expect(await status(publicFile, signed(publicFile, {}, "us-west-2", clock))).toBe(400);
  });

  test("Azure wants a token of the container, which ends", async () => {
    const href = hrefOf("planetary-computer", "sentinel-1-rtc", "vv");
    expect(await status(href)).toBe(409);
    const [account, container] = [new URL(href).hostname.split(".")[0], new URL(href).pathname.split("/")[1]];
    const service = "https://planetarycomputer.microsoft.com/api/sas/v1/token";
    const tokenOf = async (path: string) =>
      (await (await replay.fetch(`${service}/${path}`)).json()) as { token: string };
    const { token } = await tokenOf(`${account}/${container}`);
    expect(await status(`${href}?${token}`)).toBe(200);
    expect(await status(`${href}?${(await tokenOf("elsewhere/other")).token}`)).toBe(403);
    const named = await tokenOf("sentinel-2-l2a");
    expect(await status(`${hrefOf("planetary-computer", "sentinel-2-l2a", "B04")}?${named.token}`)).toBe(200);
    replay.world.azure.expireTokens();
    expect(await status(`${href}?${token}`)).toBe(403);
    clock += 3_600_000;
    expect(await status(`${href}?${(await tokenOf(`${account}/${container}`)).token}`)).toBe(200);
  });

  test("LP DAAC sends readers without a token to its login, and others to a store that wants no second credential", async () => {
    const href = hrefOf("nasa-cmr-stac", "HLSL30_2.0", "B04");
    const bearer = { authorization: `Bearer ${replay.credentials.earthdata}` };
    expect(await status(href)).toBe(302);
    for (const where of ["cloudfront", "s3"] as const) {
      replay.world.lpDaac.sendTo(where);
      const door = await replay.fetch(href, { headers: bearer, redirect: "manual" });
      const target = door.headers.get("location") ?? "";
      expect([door.status, new URL(target).hostname]).toEqual([
        303,
        where === "s3" ? "lp-prod-protected.s3.us-west-2.amazonaws.com" : "d1nklfio7vscoe.cloudfront.net",
      ]);
      expect(await status(target, { range: "bytes=0-3" })).toBe(206);
      expect(await status(target, bearer)).toBe(403);
      // fetch drops the header by itself where it follows
      expect((await replay.fetch(href, { headers: bearer })).status).toBe(200);
    }
    expect(await status(href.replace("protected", "public").replace(/\.B04\.tif$/, ".jpg"))).toBe(404);
  });

  test("USGS answers its file addresses with a login page", async () => {
    const answer = await replay.fetch(hrefOf("usgs", "landsat-c2l2-sr", "thumbnail"));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html"]);
  });

  test.skipIf(!hasGdal)("are Cloud-Optimized GeoTIFFs in the recorded grids, as GDAL reads them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "replay-"));
    try {
      for (const [name, collection, key] of [
        ["earth-search", "sentinel-2-c1-l2a", "red"],
        ["earth-search", "landsat-c2-l2", "qa_pixel"],
        ["earth-search", "cop-dem-glo-30", "data"],
        ["planetary-computer", "sentinel-1-rtc", "vv"],
        ["planetary-computer", "landsat-c2-l1", "green"],
        ["planetary-computer", "landsat-8-c2-l2", "SR_B4"],
        ["nasa-cmr-stac", "HLSL30_2.0", "B04"],
        ["nasa-cmr-stac", "HLSS30_2.0", "Fmask"],
      ] as const) {
        const href = hrefOf(name, collection, key);
        const file = replay.world.shelf.find(href);
        const bytes = file && (await replay.world.shelf.read(file));
        expect(bytes?.length, href).toBeGreaterThan(500);
        expect(bytes?.length, href).toBeLessThan(100_000);
        const path = join(folder, `${collection}.tif`);
        await writeFile(path, bytes ?? "");
        const info = JSON.parse((await run("gdalinfo", ["-json", path])).stdout) as {
          geoTransform: number[];
          size: number[];
        };
        const grid: Json = { ...file?.item.properties, ...file?.asset };
        const [a, , c, , e, f] = (grid["proj:transform"] ?? [
          30,
          0,
          info.geoTransform[0],
          0,
          -30,
          info.geoTransform[3],
        ]) as number[];
        expect(info.geoTransform.map((n) => n.toFixed(9))).toEqual([c, a, 0, f, 0, e].map((n) => Number(n).toFixed(9)));
        const [x, y] = [Math.floor((info.size[0] ?? 0) * 0.7), Math.floor((info.size[1] ?? 0) * 0.6)];
        const { stdout } = await run("gdallocationinfo", ["-valonly", path, `${x}`, `${y}`]);
        expect(storedValues(href)).toContain(Number(stdout));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
