import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultRegistry } from "@swath/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../../../../test/tools/s3-server.ts";
import { assetHosts } from "../../../../src/run/files/access/asset-hosts.ts";
import { isPrivateAddress, privateHosts } from "../../../../src/run/files/private-addresses.ts";
import { createSources, type SourceSettings } from "../../../../src/run/files/sources.ts";
import { TrafficCount } from "../../../../src/run/files/traffic.ts";

test.each([
  ["an https address of a host in our own list", [], "https://sentinel-cogs.s3.us-west-2.amazonaws.com/a.tif", true],
  ["a bucket in our own list", [], "s3://usgs-landsat/a.tif", true],
  ["another bucket", [], "s3://secrets/a.tif", false],
  ["a bucket that begins as the list says", ["s3://maps-*"], "s3://maps-asia/a.tif", true],
  ["a bucket that begins otherwise", ["s3://maps-*"], "s3://map/a.tif", false],
  ["a user in front of the bucket", ["s3://maps"], "s3://evil.org@maps/a.tif", false],
  ["a host called as such a bucket", ["s3://maps-*"], "https://maps-asia/a.tif", false],
  ["loopback", [], "http://127.0.0.1/a.tif", false],
  ["loopback in another notation", [], "http://0x7f.1/a.tif", false],
  ["the address of cloud metadata", [], "http://169.254.169.254/latest/meta-data", false],
  ["a file", [], "file:///etc/passwd", false],
  ["text that is no address", [], "a.tif", false],
  ["a user in front of the host", ["a.org"], "https://a.org@b.org/a.tif", false],
  ["credentials", ["a.org"], "https://u:p@a.org/a.tif", false],
  ["a named host with any port", ["a.org"], "https://a.org:8443/a.tif", true],
  ["a named host with another port than named", ["a.org:8443"], "https://a.org/a.tif", false],
  ["a name below a wildcard", ["*.a.org"], "https://x.y.a.org/a.tif", true],
  ["the wildcard's own name", ["*.a.org"], "https://a.org/a.tif", false],
  ["a name that only ends alike", ["*.a.org"], "https://evila.org/a.tif", false],
  ["upper case", ["A.org"], "https://a.ORG/a.tif", true],
  ["our own list where the deployment has one", ["a.org"], "s3://usgs-landsat/a.tif", false],
])("%s is judged by the list", (_, names, address, allowed) => {
  expect(assetHosts(names, [], defaultRegistry.assetHosts).allows(address)).toBe(allowed);
});

test.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["172.31.255.255", true],
  ["172.32.0.0", false],
  ["192.168.0.1", true],
  ["169.254.169.254", true],
  ["100.64.0.1", true],
  ["0.0.0.0", true],
  ["224.0.0.1", true],
  ["8.8.8.8", false],
  ["52.218.0.1", false],
  ["::1", true],
  ["[::1]", true],
  ["fd00::1", true],
  ["fe80::1%eth0", true],
  ["::ffff:10.0.0.1", true],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::a00:1", true],
  ["64:ff9b::808:808", false],
  ["2600:1f18::1", false],
])("%s is private: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

test("a host is private when any of its addresses is, and is asked about once in half a minute", async () => {
  let asked = 0;
  let time = 1_000;
  const isPrivate = privateHosts(
    async () => {
      asked += 1;
      return ["8.8.8.8", "10.0.0.1"];
    },
    () => time,
  );
  expect([await isPrivate("a.org"), await isPrivate("a.org"), asked]).toEqual([true, true, 1]);
  time += 31_000;
  await isPrivate("a.org");
  expect(asked).toBe(2);
});

describe("reading files", () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/away") response.writeHead(302, { Location: "http://evil.example/x" }).end();
    else response.writeHead(206, { "Content-Range": "bytes 0-3/4" }).end("data");
  });
  let port: number;
  let s3: S3Server;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    s3 = await startS3Server({ requesterPays: ["paid"], lookUp: async () => Buffer.from("0123456789") });
  });
  afterAll(async () => {
    await s3.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const read = (href: string, settings: Partial<SourceSettings>): Promise<Uint8Array> =>
    createSources({ assetHosts: [], s3: { region: "us-west-2" }, ...settings })(href).read(0, 4);

  test("a name below a wildcard that leads to a private address is not asked", async () => {
    const settings = { assetHosts: ["*.example.org"], resolve: async () => ["127.0.0.1"] };
    await expect(read(`http://x.example.org:${port}/a`, settings)).rejects.toMatchObject({ code: "not-found" });
    expect(asked).toEqual([]);
  });

  test("a private address that is named is read, and its redirect elsewhere is not followed", async () => {
    const settings = { assetHosts: [`127.0.0.1:${port}`] };
    expect(Buffer.from(await read(`http://127.0.0.1:${port}/a`, settings)).toString()).toBe("data");
    await expect(read(`http://127.0.0.1:${port}/away`, settings)).rejects.toMatchObject({ code: "forbidden" });
    expect(asked).toEqual(["/a", "/away"]);
  });

  test("reads of paid buckets are signed, say who pays, and are counted", async () => {
    const traffic = new TrafficCount();
    const { account, region, endpoint } = s3;
    const storage = { buckets: [{ name: "paid", region, requesterPays: true }], servers: [] };
    const settings = {
      assetHosts: ["s3://paid"],
      storage,
      s3: { region, endpoint, credentials: account },
      onRead: traffic.add,
    };
    expect(Buffer.from(await read("s3://paid/a.tif", settings)).toString()).toBe("0123");
    expect(traffic.take()).toEqual({ requests: 1, bytes: 4, failures: 0, paidRequests: 1, paidBytes: 4 });
    expect(traffic.take()).toBeUndefined();
    expect(s3.records.map(({ verdict }) => verdict)).toEqual(["ok"]);
  });
});
