import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { Remembered } from "@swath/http";

/**
 * Addresses that are no public host's: RFC 6890 and its updates, as IANA's special-purpose registries list them,
 * multicast (RFC 5771, RFC 4291) among them.
 */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  PRIVATE.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(net, prefix, "ipv6");
}

/** IPv4 addresses inside IPv6 ones: mapped (RFC 4291) and translated (RFC 6052). */
const EMBEDDED = new BlockList();
EMBEDDED.addSubnet("::ffff:0:0", 96, "ipv6");
EMBEDDED.addSubnet("64:ff9b::", 96, "ipv6");

/** The IPv4 address in the last 32 bits of an IPv6 one. */
function embedded(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const [high = "0", low = "0"] = hostname.slice(1, -1).split(":").slice(-2);
  const bits = [Number.parseInt(high || "0", 16), Number.parseInt(low || "0", 16)];
  return bits.flatMap((part) => [part >> 8, part & 0xff]).join(".");
}

/** Whether an address belongs to this machine or a private network rather than to a public host. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const kind = isIP(plain);
  if (kind === 0) throw new RangeError(`Expected an IP address, got "${address}".`);
  if (kind === 4) return PRIVATE.check(plain, "ipv4");
  if (EMBEDDED.check(plain, "ipv6")) return PRIVATE.check(embedded(plain), "ipv4");
  return PRIVATE.check(plain, "ipv6");
}

export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Time for which an answer of the name system is kept, milliseconds. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1000;

/** Asks whether any address of a host is private; answers are kept for half a minute. */
export function privateHosts(resolve: Resolve = resolveHost, now: () => number = Date.now) {
  const known = new Remembered<boolean>({ max: MAX_KEPT, ttlMs: () => KEPT_MS, now });
  return async (host: string): Promise<boolean> => {
    const plain = host.replace(/^\[|\]$/g, "");
    if (isIP(plain) !== 0) return isPrivateAddress(plain);
    return known.of(host, () =>
      resolve(host).then(
        (addresses) => addresses.some(isPrivateAddress),
        // a name that nobody knows, or that only a proxy resolves: the request itself tells
        () => false,
      ),
    );
  };
}
