import { expect, test } from "vitest";
import type { StorageFile } from "../../src/file/storage-file.ts";
import { BUILT_IN_FILES, type CollectionFile, isVirtualFile } from "../../src/files.ts";
import { createRegistry, defaultRegistry } from "../../src/index.ts";
import { collectionFileFaults } from "../../src/parse/parse.ts";

const base = BUILT_IN_FILES.find((file): file is CollectionFile => !isVirtualFile(file) && file.id === "dem");
if (base === undefined) throw new Error("Expected the collection dem.");
const own = (storage: unknown, id = "own"): CollectionFile => ({
  ...base,
  id,
  aliases: [],
  storage: storage as StorageFile,
});
const faultsOf = (storage: unknown): string[] => collectionFileFaults(own(storage)).map(({ pointer }) => pointer);

// regions and payers by the recorded answers of these buckets and by their owners' documents
test.each([
  { bucket: "usgs-landsat", region: "us-west-2", requesterPays: true },
  { bucket: "sentinel-cogs", region: "us-west-2", requesterPays: false },
  { bucket: "e84-earth-search-sentinel-data", region: "us-west-2", requesterPays: false },
  { bucket: "sentinel-s2-l1c", region: "eu-central-1", requesterPays: true },
  { bucket: "sentinel-s2-l2a", region: "eu-central-1", requesterPays: true },
  { bucket: "copernicus-dem-30m", region: "eu-central-1", requesterPays: false },
  { bucket: "deafrica-sentinel-2-l2a-c1", region: "af-south-1", requesterPays: false },
  { bucket: "deafrica-landsat", region: "af-south-1", requesterPays: false },
  { bucket: "dea-public-data", region: "ap-southeast-2", requesterPays: false },
])("$bucket is in $region, and its reader pays: $requesterPays", ({ bucket, region, requesterPays }) => {
  expect(defaultRegistry.bucket(bucket)).toMatchObject({ region, requesterPays });
});

test("a bucket that no name and no beginning fits has no facts", () => {
  expect(defaultRegistry.bucket("somebody-else")).toBeUndefined();
  expect(defaultRegistry.bucket("deafrica")).toBeUndefined();
});

test("of two beginnings the longer one counts, and a whole name before both", () => {
  const bucket = (name: string, region: string) => ({ name, region, requesterPays: false });
  const buckets = [bucket("maps-*", "a"), bucket("maps-asia-*", "b"), bucket("maps-asia-1", "c")];
  const registry = createRegistry([own({ buckets, hosts: [] })]);
  const region = (name: string): string | undefined => registry.bucket(name)?.region;
  expect([region("maps-1"), region("maps-asia-2"), region("maps-asia-1")]).toEqual(["a", "b", "c"]);
});

test("two collections may not say different things of a server", () => {
  const server = { host: "files.example.org", requestsAtOnce: 4 };
  const storage = { buckets: [], hosts: [], servers: [server] };
  expect(createRegistry([own(storage), own(storage, "other")]).storage.servers).toEqual([server]);
  const slower = { ...storage, servers: [{ ...server, requestsAtOnce: 2 }] };
  expect(() => createRegistry([own(storage), own(slower, "other")])).toThrow('the server "files.example.org"');
});

const servers = (server: object): object => ({ buckets: [], hosts: [], servers: [server] });
const buckets = (bucket: object): object => ({
  buckets: [{ region: "r", requesterPays: false, ...bucket }],
  hosts: [],
});

test.each([
  {
    what: "a token for every name below a domain",
    storage: servers({ host: "*.nasa.gov", token: "earthdata" }),
    at: "/storage/servers/0/host",
  },
  {
    what: "a token of another kind",
    storage: servers({ host: "a.org", token: "AWS_SECRET_ACCESS_KEY" }),
    at: "/storage/servers/0/token",
  },
  {
    what: "a token and a token service",
    storage: servers({ host: "a.org", token: "earthdata", tokenService: "https://b.org/t" }),
    at: "/storage/servers/0/tokenService",
  },
  {
    what: "a token service without TLS",
    storage: servers({ host: "a.org", tokenService: "http://b.org/t" }),
    at: "/storage/servers/0/tokenService",
  },
  { what: "a host with a path", storage: servers({ host: "a.org/x" }), at: "/storage/servers/0/host" },
  {
    what: "no requests at once",
    storage: servers({ host: "a.org", requestsAtOnce: 0 }),
    at: "/storage/servers/0/requestsAtOnce",
  },
  {
    what: "a redirect to any host",
    storage: servers({ host: "a.org", redirectHosts: ["*"] }),
    at: "/storage/servers/0/redirectHosts/0",
  },
  {
    what: "a payer without a signature",
    storage: buckets({ name: "paid", requesterPays: true, signed: false }),
    at: "/storage/buckets/0/signed",
  },
  {
    what: "keys of AWS for another service",
    storage: buckets({ name: "files", endpoint: "https://s3.example", signed: true }),
    at: "/storage/buckets/0/keys",
  },
  { what: "a beginning of three letters", storage: buckets({ name: "abc*" }), at: "/storage/buckets/0/name" },
  {
    what: "an endpoint without TLS elsewhere",
    storage: buckets({ name: "files", endpoint: "http://s3.example" }),
    at: "/storage/buckets/0/endpoint",
  },
])("$what is refused", ({ storage, at }) => {
  expect(faultsOf(storage)).toEqual([at]);
});

test.each([
  servers({
    host: "data.example.org",
    token: "earthdata",
    redirectHosts: ["cdn.example.net"],
    loginHosts: ["login.example.org"],
  }),
  servers({ host: "*.blob.example.net", tokenService: "https://tokens.example/api", requestsPerSecond: 5 }),
  servers({ host: "127.0.0.1:9000", tokenService: "http://127.0.0.1:9001/token" }),
  buckets({ name: "eodata", endpoint: "https://s3.example", signed: true, keys: "data-space" }),
])("%j is taken", (storage) => {
  expect(faultsOf(storage)).toEqual([]);
});
