import { HttpError } from "./errors.ts";
import { unlessAborted } from "./when-aborted.ts";

/** One request, as plain data. */
export interface HttpRequest {
  readonly url: string | URL;
  /** Default GET. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream | undefined;
}

/** `fetch` of the platform, or what stands in for it. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Options for sending a request. */
export interface SendOptions {
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Redirects that are followed, one by one, where there is a `checkUrl`; 0 refuses them. Default 5. */
  readonly maxRedirects?: number | undefined;
  /**
   * Asked before each request, redirects included, for which it gets the address that redirected; it refuses an address
   * by throwing, and that error is thrown.
   */
  readonly checkUrl?: ((url: URL, redirectedFrom?: URL) => void | Promise<void>) | undefined;
  /** Headers that are sent to the origin of `url` alone, not to hosts that redirects lead to, where there is a `checkUrl`. */
  readonly privateHeaders?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends one request and gives its answer, whatever its status, as soon as its head is there. A redirect that names no
 * address is an answer too. Without `checkUrl` redirects are followed by `fetch` itself. Browsers do not show scripts where
 * a redirect leads: there it is refused where it would have to be checked.
 *
 * @throws {HttpError} `redirect-refused`, `too-many-redirects`; the signal's reason once it aborts; what `fetch` and
 * `checkUrl` throw.
 */
export async function send(request: HttpRequest, options: SendOptions = {}): Promise<Response> {
  const { signal, maxRedirects = 5, checkUrl, privateHeaders } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  const { method, headers = {}, body } = request;
  const isFollowedHere = checkUrl !== undefined || maxRedirects === 0;
  const first = new URL(request.url);
  let url = first;
  let from: URL | undefined;
  for (let hop = 0; ; hop++) {
    await checkUrl?.(url, from);
    const isOwn = url.origin === first.origin;
    const sent = { ...(isOwn ? privateHeaders : {}), ...headers };
    const response = await unlessAborted(
      fetch(hop === 0 ? request.url : url, {
        ...(method === undefined ? {} : { method }),
        headers: sent,
        redirect: isFollowedHere ? "manual" : "follow",
        ...(signal === undefined ? {} : { signal }),
        ...(body === undefined ? {} : { body }),
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      }),
      signal,
    );
    const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status <= 399);
    if (!isFollowedHere || !isRedirect) return response;
    const target = response.headers.get("location");
    // S3 says so of buckets in another region, without an address
    if (target === null && response.type !== "opaqueredirect") return response;
    await response.body?.cancel();
    if (maxRedirects === 0 || target === null || !URL.canParse(target, url)) {
      throw new HttpError("redirect-refused", "redirected, which is not followed here.");
    }
    if (hop >= maxRedirects) throw new HttpError("too-many-redirects", `more than ${maxRedirects} redirects.`);
    from = url;
    url = new URL(target, from);
    if (url.protocol !== "https:" && url.protocol !== first.protocol) {
      throw new HttpError("redirect-refused", `redirected from ${first.protocol} to ${url.protocol}`);
    }
  }
}
