import type { RequestRecord } from "@swath/cog";
import { addPart } from "@swath/tracing/node";

/** Adds a request for bytes of a file to the work that is measured: its host and path, without a query, which may be signed. */
export function addRead({ url, offset, status, bytes, ms }: RequestRecord): void {
  const { host, pathname } = new URL(url);
  addPart(ms, {
    name: `GET ${host}`,
    role: "client",
    facts: {
      "http.request.method": "GET",
      "http.response.status_code": status,
      "server.address": host,
      "url.path": pathname,
      "swath.offset": offset,
      "swath.bytes": bytes,
    },
    ...(status === 200 || status === 206 ? {} : { fault: String(status) }),
  });
}
