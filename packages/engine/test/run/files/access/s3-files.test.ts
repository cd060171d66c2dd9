import { defaultRegistry } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { ARCHIVE_BUCKETS, amazon } from "../../../../../../test/tools/amazon.ts";
import { planS3 } from "../../../../src/run/files/access/s3-plan.ts";
import type { S3Settings } from "../../../../src/run/files/access/s3-settings.ts";
import { createSources, type SourceSettings } from "../../../../src/run/files/sources.ts";
import { TrafficCount } from "../../../../src/run/files/traffic.ts";

const account = { accessKeyId: "AKIASWATHTEST0000001", secretAccessKey: "secret/of+tests" };
const lookUp = async (_: string, key: string): Promise<Uint8Array | undefined> =>
  key === "missing.tif" ? undefined : Buffer.from("0123456789");

/** Reads from Amazon's stand-in with what the built-in collection files know, and the buckets allowed that the test names. */
function reading(s3: S3Settings, settings: Partial<SourceSettings> = {}) {
  const { fetch, records } = amazon({ buckets: ARCHIVE_BUCKETS, account, lookUp });
  const assetHosts = Object.keys(ARCHIVE_BUCKETS).map((name) => `s3://${name}`);
  const sources = createSources({ assetHosts, storage: defaultRegistry.storage, s3, fetch, ...settings });
  const read = async (href: string): Promise<string> => Buffer.from(await sources(href).read(0, 4)).toString();
  return { read, records };
}

const PUBLIC = [
  { bucket: "copernicus-dem-30m", region: "eu-central-1" },
  { bucket: "deafrica-sentinel-2-l2a-c1", region: "af-south-1" },
  { bucket: "dea-public-data", region: "ap-southeast-2" },
  { bucket: "sentinel-cogs", region: "us-west-2" },
  { bucket: "e84-earth-search-sentinel-data", region: "us-west-2" },
];

describe.each([
  { keys: "without keys", s3: { region: "us-west-2" } },
  { keys: "with keys, in another region", s3: { region: "eu-west-3", credentials: account } },
])("$keys", ({ s3 }) => {
  test.each(PUBLIC)(
    "$bucket is read in $region, unsigned, at the first request",
    { tags: ["AF1"] },
    async ({ bucket, region }) => {
      const { read, records } = reading(s3);
      expect(await read(`s3://${bucket}/a/b.tif`)).toBe("0123");
      const host = `${bucket}.s3.${region}.amazonaws.com`;
      expect(records).toEqual([{ host, bucket, isSigned: false, saysPayer: false, verdict: "ok" }]);
    },
  );
});

test.each([
  { bucket: "usgs-landsat", region: "us-west-2" },
  { bucket: "sentinel-s2-l1c", region: "eu-central-1" },
  { bucket: "sentinel-s2-l2a", region: "eu-central-1" },
])(
  "$bucket is signed for $region whatever AWS_REGION is, and says who pays",
  { tags: ["AF2"] },
  async ({ bucket, region }) => {
    for (const own of ["us-west-2", "eu-central-1", "ap-southeast-2"]) {
      const { read, records } = reading({ region: own, credentials: account });
      expect(await read(`s3://${bucket}/a.tif`)).toBe("0123");
      const host = `${bucket}.s3.${region}.amazonaws.com`;
      expect(records).toEqual([{ host, bucket, isSigned: true, saysPayer: true, verdict: "ok" }]);
    }
  },
);

test("only reads that are paid for are counted as paid", { tags: ["AF2"] }, async () => {
  const traffic = new TrafficCount();
  const { read } = reading({ region: "us-west-2", credentials: account }, { onRead: traffic.add });
  for (const bucket of ["usgs-landsat", "copernicus-dem-30m", "sentinel-cogs"]) await read(`s3://${bucket}/a.tif`);
  expect(traffic.take()).toMatchObject({ requests: 3, bytes: 12, paidRequests: 1, paidBytes: 4 });
});

test("without keys a paid bucket is not asked, and the error names what the service lacks", async () => {
  const { read, records } = reading({ region: "us-west-2" });
  await expect(read("s3://usgs-landsat/a.tif")).rejects.toMatchObject({
    code: "unauthorized",
    credential: "aws",
    fault: "missing",
    message: expect.stringContaining("AWS_ACCESS_KEY_ID"),
  });
  expect(records).toEqual([]);
});

test("keys that Amazon does not know are named, and the secret is not", async () => {
  const wrong = { accessKeyId: "AKIAWRONG", secretAccessKey: "very secret" };
  const { read } = reading({ region: "us-west-2", credentials: wrong });
  const error: unknown = await read("s3://usgs-landsat/a.tif").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unauthorized", credential: "aws", fault: "refused" });
  expect(JSON.stringify([String(error), error])).not.toMatch(/very secret|AKIAWRONG/);
});

test("a bucket of which nothing is known is found where S3 says it is, for all its files after one refusal", {
  tags: ["AF3"],
}, async () => {
  const { read, records } = reading(
    { region: "us-west-2", credentials: account },
    { storage: { buckets: [], servers: [] } },
  );
  expect(await read("s3://copernicus-dem-30m/a.tif")).toBe("0123");
  expect(await read("s3://copernicus-dem-30m/b.tif")).toBe("0123");
  expect(records.map(({ host, verdict }) => `${host} ${verdict}`)).toEqual([
    "copernicus-dem-30m.s3.us-west-2.amazonaws.com PermanentRedirect",
    "copernicus-dem-30m.s3.eu-central-1.amazonaws.com ok",
    "copernicus-dem-30m.s3.eu-central-1.amazonaws.com ok",
  ]);
  expect(records.some(({ saysPayer }) => saysPayer)).toBe(false);
});

test("of an opt-in region too, whose refusal names it in words alone", async () => {
  const { read, records } = reading({ region: "us-west-2" }, { storage: { buckets: [], servers: [] } });
  expect(await read("s3://deafrica-sentinel-2-l2a-c1/a.tif")).toBe("0123");
  expect(records.map(({ verdict }) => verdict)).toEqual(["IllegalLocationConstraintException", "ok"]);
});

test("a missing key is a missing file", async () => {
  const { read } = reading({ region: "us-west-2" });
  await expect(read("s3://copernicus-dem-30m/missing.tif")).rejects.toMatchObject({ code: "not-found", lasting: true });
});

const paid = { name: "paid", region: "us-west-2", requesterPays: true };
const open = { name: "open", region: "eu-central-1", requesterPays: false };
const keys = { accessKeyId: "a", secretAccessKey: "b" };
const mirror = "http://mirror.example:9000";

test.each([
  {
    what: "a public bucket",
    facts: open,
    s3: { region: "r", credentials: keys },
    plan: { region: "eu-central-1", requesterPays: false },
  },
  {
    what: "a paid bucket",
    facts: paid,
    s3: { region: "r", credentials: keys },
    plan: { region: "us-west-2", keys, credential: "aws", requesterPays: true },
  },
  {
    what: "a paid bucket without keys",
    facts: paid,
    s3: { region: "r" },
    plan: { region: "us-west-2", requesterPays: false, missing: "aws" },
  },
  {
    what: "an unknown bucket",
    facts: undefined,
    s3: { region: "r", credentials: keys },
    plan: { region: "r", keys, credential: "aws", requesterPays: false },
  },
  {
    what: "an unknown bucket without keys",
    facts: undefined,
    s3: { region: "r" },
    plan: { region: "r", requesterPays: false },
  },
  {
    what: "a paid bucket in a mirror",
    facts: paid,
    s3: { region: "r", endpoint: mirror, credentials: keys },
    plan: { region: "r", endpoint: mirror, keys, credential: "aws", requesterPays: true },
  },
  {
    what: "a public bucket in a mirror",
    facts: open,
    s3: { region: "r", endpoint: mirror, credentials: keys },
    plan: { region: "r", endpoint: mirror, keys, credential: "aws", requesterPays: false },
  },
  {
    what: "a paid bucket in a mirror without keys",
    facts: paid,
    s3: { region: "r", endpoint: mirror },
    plan: { region: "r", endpoint: mirror, requesterPays: false },
  },
  {
    what: "a bucket with an endpoint and keys of its own, beside a mirror",
    facts: { ...open, endpoint: "https://s3.example", signed: true, keys: "cdse" },
    s3: {
      region: "r",
      endpoint: mirror,
      credentials: keys,
      namedKeys: { cdse: { accessKeyId: "c", secretAccessKey: "d" } },
    },
    plan: {
      region: "eu-central-1",
      endpoint: "https://s3.example",
      keys: { accessKeyId: "c", secretAccessKey: "d" },
      credential: "s3:cdse",
      requesterPays: false,
    },
  },
  {
    what: "a bucket with an endpoint of its own and no keys",
    facts: { ...open, endpoint: "https://s3.example" },
    s3: { region: "r", credentials: keys },
    plan: { region: "eu-central-1", endpoint: "https://s3.example", requesterPays: false },
  },
  {
    what: "one that wants a signature, and names no keys",
    facts: { ...open, endpoint: "https://s3.example", signed: true },
    s3: { region: "r", credentials: keys },
    plan: { region: "eu-central-1", endpoint: "https://s3.example", requesterPays: false, missing: "aws" },
  },
  {
    what: "such a bucket without its keys",
    facts: { ...open, endpoint: "https://s3.example", signed: true, keys: "cdse" },
    s3: { region: "r", credentials: keys },
    plan: { region: "eu-central-1", endpoint: "https://s3.example", requesterPays: false, missing: "s3:cdse" },
  },
])("$what is planned as $plan", ({ facts, s3, plan }) => {
  expect(planS3(facts, s3)).toEqual(plan);
});
