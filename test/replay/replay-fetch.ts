/** Header that names the host a request is meant for. */
export const REAL_HOST = "x-replay-host";

export type ReplayFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const MAX_REDIRECTS = 20;
/** Loopback addresses are asked themselves: the service under test, and what a test serves. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/**
 * A `fetch` whose requests to any host but this machine go to one loopback server, which is told the host that is meant.
 * Redirects are followed as the Fetch standard says, one by one, so that each reaches the server.
 *
 * @param server address of the loopback server, which answers 421 for hosts that it does not know: such requests fail as
 *   those to a name that nobody knows.
 */
export function replayFetch(server: string): ReplayFetch {
  const direct = globalThis.fetch;
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    if (LOOPBACK.test(url.hostname)) return direct(url, init);
    const headers = new Headers(init.headers);
    headers.set(REAL_HOST, url.host);
    const response = await direct(`${server}${url.pathname}${url.search}`, { ...init, headers, redirect: "manual" });
    if (response.status !== 421) return response;
    await response.body?.cancel();
    throw unresolved(url.hostname);
  };
  return async (input, init = {}) => {
    if (input instanceof Request) return direct(input, init);
    let url = new URL(input);
    let sent: RequestInit = init;
    for (let hop = 0; ; hop++) {
      const response = await send(url, sent);
      const target = response.headers.get("location");
      const isRedirect = response.status >= 301 && response.status <= 308 && target !== null;
      if (!isRedirect || init.redirect === "manual") return response;
      await response.body?.cancel();
      if (init.redirect === "error" || hop >= MAX_REDIRECTS) throw new TypeError("fetch failed");
      const next = new URL(target, url);
      sent = redirected(sent, response.status, next.origin !== url.origin);
      url = next;
    }
  };
}

/** Makes the next request of a chain (Fetch standard, HTTP-redirect fetch). */
function redirected(init: RequestInit, status: number, isElsewhere: boolean): RequestInit {
  const headers = new Headers(init.headers);
  if (isElsewhere) for (const name of ["authorization", "cookie", "host"]) headers.delete(name);
  const method = (init.method ?? "GET").toUpperCase();
  const becomesGet = (status <= 302 && method === "POST") || (status === 303 && method !== "GET" && method !== "HEAD");
  if (!becomesGet) return { ...init, headers };
  const { body: _, ...rest } = init;
  headers.delete("content-type");
  return { ...rest, method: "GET", headers };
}

function unresolved(host: string): TypeError {
  const cause = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", hostname: host });
  return new TypeError("fetch failed", { cause });
}
