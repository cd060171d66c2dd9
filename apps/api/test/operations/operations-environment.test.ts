import { describe, expect, test } from "vitest";
import { parseEnvironment } from "../../src/open/environment/environment.ts";

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

test("one process does everything, keeps results beside its data and spends without bound unless configured", () => {
  const environment = parseEnvironment({});
  expect(environment).toMatchObject({ role: "all", results: { isPublic: false }, spending: {} });
  expect(environment.results).not.toHaveProperty("url");
  expect(environment.spending).toEqual({});
  expect(environment).not.toHaveProperty("metrics");
});

test.each(["file:///srv/results", "s3://results", "s3://results.example/a/prefix/"])("%s takes results", (url) => {
  expect(parseEnvironment({ SWATH_RESULTS_URL: url, ...CREDENTIALS }).results.url).toBe(url);
});

test("four jobs run at once in the service and in a process, or as many as are set, in a process no more than in all", () => {
  expect(parseEnvironment({}).jobs).toEqual({ slots: 4, perProcess: 4 });
  expect(parseEnvironment({ SWATH_JOB_SLOTS: "16" }).jobs).toEqual({ slots: 16, perProcess: 4 });
  expect(parseEnvironment({ SWATH_JOB_SLOTS: "2" }).jobs).toEqual({ slots: 2, perProcess: 2 });
  expect(parseEnvironment({ SWATH_WORKER_JOBS: "1" }).jobs).toEqual({ slots: 4, perProcess: 1 });
});

test("large files are made in parts where their size is set, which PostgreSQL hands out", () => {
  const variables = { SWATH_JOB_PART_VALUES: "50000000", DATABASE_URL: "postgres://db.example/swath" };
  expect(parseEnvironment(variables).jobs).toEqual({ slots: 4, perProcess: 4, partValues: 50_000_000 });
  expect(() => parseEnvironment({ SWATH_JOB_PART_VALUES: "50000000" })).toThrow(
    "SWATH_JOB_PART_VALUES: parts of jobs are handed out by PostgreSQL: set DATABASE_URL",
  );
});

test("nodes share images within bounds where that is on", () => {
  expect(parseEnvironment({})).not.toHaveProperty("sharedImages");
  const sharedImages = { maxBytes: 10e9, days: 7, lookUpMs: 100 };
  expect(parseEnvironment({ SWATH_SHARED_IMAGES: "on" }).sharedImages).toEqual(sharedImages);
  const set = { SWATH_SHARED_IMAGES: "on", SWATH_SHARED_IMAGES_GB: "0.5", SWATH_SHARED_IMAGES_DAYS: "1" };
  expect(parseEnvironment(set).sharedImages).toMatchObject({ maxBytes: 5e8, days: 1 });
});

test("spending is bounded in requests and in gigabytes of 10⁹ bytes", () => {
  const variables = { SWATH_SPENDING_MAX_REQUESTS: "1000", SWATH_SPENDING_MAX_GB: "1.5" };
  expect(parseEnvironment(variables).spending).toEqual({ maxRequests: 1000, maxBytes: 1_500_000_000 });
});

test("metrics are for this machine alone unless an address is named", () => {
  expect(parseEnvironment({ SWATH_METRICS_PORT: "9100" }).metrics).toEqual({ host: "127.0.0.1", port: 9100 });
  expect(parseEnvironment({ SWATH_METRICS_PORT: "9100", SWATH_METRICS_HOST: "0.0.0.0" }).metrics?.host).toBe("0.0.0.0");
});

test.each([
  ["SWATH_ROLE", "boss"],
  ["SWATH_SHARED_IMAGES", "yes"],
  ["SWATH_SHARED_IMAGES_GB", "0"],
  ["SWATH_SHARED_IMAGES_DAYS", "400"],
  ["SWATH_JOB_SLOTS", "0"],
  ["SWATH_JOB_SLOTS", "65"],
  ["SWATH_WORKER_JOBS", "1.5"],
  ["SWATH_JOB_PART_VALUES", "0"],
  ["SWATH_RESULTS_URL", "file:results"],
  ["SWATH_RESULTS_URL", "https://example.org/results"],
  ["SWATH_RESULTS_URL", "s3://A_bucket"],
  ["SWATH_RESULTS_URL", "s3://b/p"],
  ["SWATH_RESULTS_ENDPOINT", "ftp://s3.example"],
  ["SWATH_RESULTS_PUBLIC", "yes"],
  ["SWATH_SPENDING_MAX_GB", "0"],
  ["SWATH_SPENDING_MAX_REQUESTS", "1.5"],
  ["SWATH_METRICS_PORT", "0"],
  ["SWATH_UPSTREAMS", "pc"],
  ["SWATH_UPSTREAMS", "pc=ftp://pc.example"],
  ["SWATH_UPSTREAMS", "PC=https://pc.example"],
  ["SWATH_UPSTREAMS", "default=https://pc.example"],
  ["SWATH_UPSTREAMS", "pc=https://a.example,pc=https://b.example"],
])("%s=%s stops the start with a line that names it", (name, value) => {
  expect(() => parseEnvironment({ [name]: value })).toThrow(new RegExp(`^${name}="`));
});

test("further upstreams are read by name", () => {
  const upstreams = { pc: "https://pc.example/stac/v1", usgs: "https://usgs.example" };
  const variable = "pc=https://pc.example/stac/v1/, usgs=https://usgs.example";
  expect(parseEnvironment({ SWATH_UPSTREAMS: variable }).upstreams).toEqual(upstreams);
  expect(parseEnvironment({}).upstreams).toEqual({});
});

test("a bucket's name that is too short is refused with what a name has to be", () => {
  const expected = "3 to 63 lower-case letters, digits, hyphens and dots, a letter or digit first and last";
  expect(() => parseEnvironment({ SWATH_RESULTS_URL: "s3://b/p", ...CREDENTIALS })).toThrow(
    `SWATH_RESULTS_URL="s3://b/p": Expected a bucket's name of ${expected}; got "b"`,
  );
});

test("a bucket for results needs credentials", () => {
  expect(() => parseEnvironment({ SWATH_RESULTS_URL: "s3://results" })).toThrow(/^SWATH_RESULTS_URL names a bucket/);
});

describe("the store of results", () => {
  const archives = { ...CREDENTIALS, AWS_REGION: "eu-central-1", AWS_ENDPOINT_URL_S3: "https://mirror.example/" };
  const shared = { accessKeyId: "id", secretAccessKey: "secret" };
  const own = { accessKeyId: "own", secretAccessKey: "own secret" };

  test.each([
    {
      what: "is that of the archives where nothing else is said",
      variables: {},
      expected: { region: "eu-central-1", endpoint: "https://mirror.example", credentials: shared },
    },
    {
      what: "has an endpoint of its own",
      variables: { SWATH_RESULTS_ENDPOINT: "http://s3:9000/" },
      expected: { region: "eu-central-1", endpoint: "http://s3:9000", credentials: shared },
    },
    {
      what: "has a region of its own",
      variables: { SWATH_RESULTS_REGION: "us-west-2" },
      expected: { region: "us-west-2", endpoint: "https://mirror.example", credentials: shared },
    },
    {
      what: "has keys of its own",
      variables: { SWATH_RESULTS_ACCESS_KEY_ID: "own", SWATH_RESULTS_SECRET_ACCESS_KEY: "own secret" },
      expected: { region: "eu-central-1", endpoint: "https://mirror.example", credentials: own },
    },
  ])("$what", { tags: ["AF4"] }, ({ variables, expected }) => {
    const { results, s3 } = parseEnvironment({ ...archives, ...variables });
    expect(results.s3).toEqual(expected);
    expect(s3).toEqual({ region: "eu-central-1", endpoint: "https://mirror.example", credentials: shared });
  });

  test("does not take the session of the archives' keys with keys of its own", () => {
    const variables = { ...archives, AWS_SESSION_TOKEN: "session" };
    expect(parseEnvironment(variables).results.s3.credentials).toEqual({ ...shared, sessionToken: "session" });
    const pair = { SWATH_RESULTS_ACCESS_KEY_ID: "own", SWATH_RESULTS_SECRET_ACCESS_KEY: "own secret" };
    expect(parseEnvironment({ ...variables, ...pair }).results.s3.credentials).toEqual(own);
  });

  test("may have keys while the archives have none", () => {
    const pair = { SWATH_RESULTS_ACCESS_KEY_ID: "own", SWATH_RESULTS_SECRET_ACCESS_KEY: "own secret" };
    const { results, s3 } = parseEnvironment({ SWATH_RESULTS_URL: "s3://results/p", ...pair });
    expect([results.s3.credentials, s3.credentials]).toEqual([own, undefined]);
  });

  test("wants both keys of a pair", () => {
    expect(() => parseEnvironment({ ...archives, SWATH_RESULTS_ACCESS_KEY_ID: "own" })).toThrow(
      "SWATH_RESULTS_ACCESS_KEY_ID and SWATH_RESULTS_SECRET_ACCESS_KEY go together: one of them is missing",
    );
  });
});

test("keys of further S3 services are read by name", () => {
  const { s3 } = parseEnvironment({ SWATH_S3_KEYS: "cdse=ID:se/cr+et=, own=A:b:c" });
  expect(s3.namedKeys).toEqual({
    cdse: { accessKeyId: "ID", secretAccessKey: "se/cr+et=" },
    own: { accessKeyId: "A", secretAccessKey: "b:c" },
  });
});

test.each(["cdse", "cdse=hunter2", "=a:hunter2", "CDSE=a:hunter2", "a=b:hunter2,a=c:hunter2"])(
  "%s is refused as keys, and not repeated",
  (value) => {
    expect(() => parseEnvironment({ SWATH_S3_KEYS: value })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^SWATH_S3_KEYS: (?!.*hunter2)/) }),
    );
  },
);
