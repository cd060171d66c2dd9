import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import { describe, expect, test } from "vitest";
import { createFileAccess, type FileAccessSources, tokenEnd } from "../../src/open/file-access.ts";
import type { CredentialName } from "../../src/run/files/access/credentials.ts";

const UPSTREAM = "https://earth-search.aws.element84.com/v1";
const PC = "https://planetarycomputer.microsoft.com/api/stac/v1";
const LPCLOUD = "https://cmr.earthdata.nasa.gov/stac/LPCLOUD";
const NOW = new Date("2024-08-01T12:00:00Z");
const account = { accessKeyId: "AKIASWATHTEST0000001", secretAccessKey: "secret/of+tests" };
const registry = createRegistry(BUILT_IN_FILES).withUpstreams(["default", "lpcloud", "pc"]);

const sources: FileAccessSources = {
  assetHosts: [],
  s3: { region: "us-west-2" },
  upstreamUrl: UPSTREAM,
  otherUpstreamUrls: [LPCLOUD, PC],
};
const accessOf = (changes: Partial<FileAccessSources> = {}, refused: readonly CredentialName[] = []) =>
  createFileAccess({
    registry: registry,
    sources: { ...sources, ...changes },
    localUpstreams: [],
    isRefused: (name) => refused.includes(name),
    now: () => NOW.getTime(),
  });
const statuses = (access: ReturnType<typeof accessOf>): Record<string, string> =>
  Object.fromEntries(registry.listed.map((each) => [each.id, access.of(each).status]));
const jwt = (claims: object): string =>
  ["{}", JSON.stringify(claims), "x"].map((part) => Buffer.from(part).toString("base64url")).join(".");

describe("what can be read", () => {
  test("without credentials: what is free, and a part of what has members", () => {
    expect(statuses(accessOf({ otherUpstreamUrls: [LPCLOUD] }))).toEqual({
      "sentinel-2-l2a": "available",
      "landsat-ot-l2": "unavailable",
      "landsat-etm-l2": "unavailable",
      "landsat-tm-l2": "unavailable",
      dem: "available",
      hls: "unavailable",
      "sentinel-1-rtc": "available",
      "sentinel-2-l1c": "unavailable",
      "optical-sr": "partial",
    });
  });

  test("with all of them: everything", () => {
    const all = accessOf({
      s3: { region: "us-west-2", credentials: account },
      credentials: { earthdata: { token: "opaque" } },
    });
    expect(new Set(Object.values(statuses(all)))).toEqual(new Set(["available"]));
    expect(all.credentials().map(({ credential, status }) => [credential, status])).toEqual([
      ["aws", "ok"],
      ["earthdata", "ok"],
    ]);
  });

  test("of the synthetic archive: everything, without any", () => {
    const own = createFileAccess({
      registry,
      sources: { assetHosts: [], s3: { region: "us-west-2" } },
      localUpstreams: ["default", "lpcloud", "pc"],
      isRefused: () => false,
      now: Date.now,
    });
    expect(new Set(Object.values(statuses(own)))).toEqual(new Set(["available"]));
    expect(own.credentials()).toEqual([]);
  });

  test("where Planetary Computer is an upstream, its copies count", () => {
    const { status, missing } = accessOf().of(registry.resolve("hls"));
    expect([status, missing?.map(({ credential }) => credential)]).toEqual(["partial", ["earthdata"]]);
  });

  test("a token that says that it has expired, and one that was refused, are named", () => {
    const past = jwt({ exp: NOW.getTime() / 1000 - 1 });
    const of = (token: string, refused: readonly CredentialName[] = []) =>
      accessOf({ credentials: { earthdata: { token } }, otherUpstreamUrls: [LPCLOUD] }, refused).of(
        registry.resolve("hls"),
      ).missing?.[0];
    expect(of(past)).toMatchObject({
      credential: "earthdata",
      status: "expired",
      detail: expect.stringContaining("expired"),
    });
    expect(of(jwt({ exp: NOW.getTime() / 1000 + 60 }))).toBeUndefined();
    expect(of("opaque", ["earthdata"])).toMatchObject({ status: "refused", variables: ["EARTHDATA_TOKEN"] });
    expect(JSON.stringify(of(past))).not.toContain(past);
  });

  test.each([
    { token: jwt({ exp: 1_700_000_000 }), end: 1_700_000_000_000 },
    { token: jwt({}), end: undefined },
    { token: jwt({ exp: "soon" }), end: undefined },
    { token: "a.b.c", end: undefined },
    { token: "opaque", end: undefined },
    { token: "", end: undefined },
  ])("the token $token ends at $end", ({ token, end }) => {
    expect(tokenEnd(token)).toBe(end);
  });
});
