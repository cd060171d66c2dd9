import ipaddr from "ipaddr.js";

/** Whether a host of a URL (with brackets around IPv6) is this machine: `localhost`, `127.0.0.0/8`, `::1`. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
}
