import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { storedAddressLimits } from "@swath/accounts";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "../../../packages/web/src/server/http-server.ts";
import { clientNetwork } from "../../../packages/web/src/request/client-network.ts";
import { createApp } from "../src/service/app.ts";
import { FULL, memoryStore, sandboxServices } from "./harness.ts";

const at = (socket: string | undefined, forwardedFor?: string, proxies = 0): string =>
  clientNetwork({ socket, forwardedFor }, proxies);

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  [undefined, "unknown"],
  ["not an address", "unknown"],
])("the socket's address %s counts as %s", { tags: ["AC4"] }, (socket, network) => {
  expect(at(socket)).toBe(network);
});

test.each([
  { name: "no proxy is trusted", header: "198.51.100.1", proxies: 0, network: "192.0.2.7" },
  { name: "one proxy", header: "198.51.100.1", proxies: 1, network: "198.51.100.1" },
  { name: "what the client sent itself", header: "203.0.113.9, 198.51.100.1", proxies: 1, network: "198.51.100.1" },
  { name: "two proxies", header: "203.0.113.9, 198.51.100.1, 10.0.0.2", proxies: 2, network: "198.51.100.1" },
  { name: "fewer entries than proxies", header: "198.51.100.1", proxies: 3, network: "198.51.100.1" },
  { name: "no header", header: undefined, proxies: 1, network: "192.0.2.7" },
  { name: "a port", header: "198.51.100.1:4711", proxies: 1, network: "198.51.100.1" },
  { name: "IPv6 with a port", header: "[2001:db8::5]:4711", proxies: 1, network: "2001:db8:0:0::/64" },
  { name: "something else", header: "unknown, _hidden", proxies: 1, network: "192.0.2.7" },
  { name: "a proxy that hides the client", header: "203.0.113.9, unknown", proxies: 1, network: "192.0.2.7" },
  { name: "an empty header", header: "", proxies: 1, network: "192.0.2.7" },
])("X-Forwarded-For: $name", ({ header, proxies, network }) => {
  expect(at("192.0.2.7", header, proxies)).toBe(network);
});

test("a request without a socket is believed no more than one with a socket", () => {
  expect(at(undefined, "203.0.113.9")).toBe("unknown");
  expect(at(undefined, "203.0.113.9, 198.51.100.1", 1)).toBe("198.51.100.1");
});

test("what a client writes into the header never changes what its proxy appended", () => {
  fc.assert(
    fc.property(fc.string(), (own) => {
      expect(at("10.0.0.2", `${own}, 198.51.100.1`, 1)).toBe("198.51.100.1");
    }),
  );
});

test("over sockets, callers without a credential count by their own address, whatever they forward", {
  tags: ["AC4"],
}, async () => {
  const store = await memoryStore();
  const services = await sandboxServices({
    registry: FULL.registry,
    addressLimits: storedAddressLimits(store),
    catalog: { search: async () => ({ items: [] }) } as never,
  });
  const server = createHttpServer(createApp(services, FULL.create(services)), { hostname: "127.0.0.1" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await store.close();
  });
  const { port } = server.address() as AddressInfo;
  const search = async (localAddress: string, forwarded: string): Promise<number | undefined> => {
    const headers = { "X-Forwarded-For": forwarded };
    const sent = request({ host: "127.0.0.1", port, path: "/v1/search?limit=1", localAddress, headers, agent: false });
    const [answer] = await once(sent.end(), "response");
    answer.resume();
    return answer.statusCode;
  };
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i < 301; i++) statuses.push(await search("127.0.0.1", `192.0.2.${i % 250}`));
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  expect(statuses.at(-1)).toBe(429);
  // another address of this machine
  expect(await search("127.0.0.2", "192.0.2.1")).toBe(200);
});
