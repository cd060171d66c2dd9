import { activeParent, traced } from "./spans.ts";

/** `fetch` of the platform. */
type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` whose requests are spans, named by method and host: a path or query may hold what is secret.
 *
 * @param sendsTo whether a host, with its port where it has one, gets the header `traceparent`; by default none does.
 * @param fetch default: the global one.
 */
export function tracedFetch(sendsTo: (host: string) => boolean = () => false, fetch?: Fetch): Fetch {
  return (input, init = {}) => {
    const { host, hostname, port } = new URL(input);
    const method = init.method ?? "GET";
    const facts = {
      "http.request.method": method,
      "server.address": hostname,
      ...(port === "" ? {} : { "server.port": Number(port) }),
    };
    return traced(`${method} ${host}`, { role: "client", facts }, async (span) => {
      const parent = sendsTo(host) ? activeParent() : undefined;
      const headers = new Headers(init.headers);
      if (parent !== undefined) headers.set("traceparent", parent);
      const response = await (fetch ?? globalThis.fetch)(input, parent === undefined ? init : { ...init, headers });
      span.add({ "http.response.status_code": response.status });
      if (response.status >= 400) span.fail(String(response.status));
      return response;
    });
  };
}
