import fc from "fast-check";
import { expect, test } from "vitest";
import { clientNetwork } from "../../src/request/client-network.ts";

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
