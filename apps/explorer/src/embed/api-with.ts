import { Api } from "../api/api.ts";
import type { HeaderSource, Headers } from "../api/credentials.ts";

/** Requests that have the same headers all the time, or none. */
export function apiWith(base: URL, headers: Headers = {}): Api<HeaderSource> {
  return new Api(base, { headersFor: async () => headers, recover: async () => false });
}
