import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpServer, type SocketApp } from "@swath/web/server";
import type { Services } from "../../src/operations/services.ts";
import { createApp } from "../../src/service/app.ts";
import { KEY, LEAN, sandboxServices, type TestProfile } from "../tools/harness.ts";

export interface Served {
  readonly url: string;
  /** Requests so far, with what the client sent as its key. */
  readonly requests: readonly { readonly path: string; readonly key: string | null; readonly status: number }[];
  close(): Promise<void>;
}

/**
 * A service over the synthetic archive, listening on a free port of this machine.
 *
 * @param options.addsKey requests get the key of tests: for clients that cannot send one.
 */
export async function serveSandbox(
  profile: TestProfile = LEAN,
  { addsKey = false, ...replaced }: { readonly addsKey?: boolean } & Partial<Services> = {},
): Promise<Served> {
  const services = await sandboxServices({ registry: profile.registry, ...replaced });
  const app = createApp(services, profile.create(services));
  const requests: { path: string; key: string | null; status: number }[] = [];
  const fetch: SocketApp["fetch"] = async (request, connection) => {
    if (addsKey) request.headers.set("X-API-Key", KEY);
    const response = await app.fetch(request, connection);
    const { pathname, search } = new URL(request.url);
    requests.push({ path: pathname + search, key: request.headers.get("X-API-Key"), status: response.status });
    return response;
  };
  const server = createHttpServer({ fetch }, { hostname: "127.0.0.1" });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export type Pages = Readonly<Record<string, { readonly type: string; readonly body: string | Uint8Array }>>;

/** Pages of another origin than the service's: what they ask of it crosses origins, as a map on a website does. */
export async function servePages(pages: Pages): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? "/", "http://pages.test").pathname];
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": page?.type ?? "text/plain" });
    response.end(page?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
