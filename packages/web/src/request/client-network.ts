import ipaddr from "ipaddr.js";

/** The inputs from which a client's address is read. */
export interface ClientAddress {
  /** Address of the other end of the socket; absent where there is no socket. */
  readonly socket: string | undefined;
  /** Value of `X-Forwarded-For`: each proxy appends the address it was asked from. */
  readonly forwardedFor: string | undefined;
}

/**
 * The network that limits by address count a client as: its IPv4 address, or the /64 of its IPv6 address, which one
 * subscriber has whole (RFC 6177).
 *
 * @param trustedProxies count of proxies in front of the service. Each appended one entry to `X-Forwarded-For`;
 *   entries further to the left are what the client itself sent, and are not believed. 0: the header is not read. Of
 *   an entry that is no address, such as `unknown`, the client counts as the proxy that wrote it.
 * @returns `unknown` where there is no address that can be read: all such clients count as one.
 */
export function clientNetwork({ socket, forwardedFor }: ClientAddress, trustedProxies: number): string {
  const forwarded = forwardedFor === undefined ? [] : forwardedFor.split(",").map(addressOf).reverse();
  // an unreadable entry keeps its place: it must not make an entry of the client one of a proxy
  const believed = [addressOf(socket ?? ""), ...forwarded].slice(0, trustedProxies + 1);
  const address = believed.findLast((each) => each !== undefined);
  return address === undefined ? "unknown" : networkOf(address);
}

type Address = ReturnType<typeof ipaddr.process>;

/** Reads `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. */
function addressOf(text: string): Address | undefined {
  const [, bracketed, port4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)\s*$/.exec(text) ?? [];
  const address = (bracketed ?? port4 ?? text).trim();
  // IPv4-mapped IPv6 addresses become IPv4
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function networkOf(address: Address): string {
  if (address.kind() === "ipv4") return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}
