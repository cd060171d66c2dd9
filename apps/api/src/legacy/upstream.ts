import { createUpstreamHandler } from "@swath/sandbox/node";

/** The upstream STAC API as the legacy hosts use it: over HTTP, or made of the embedded archive. */
export interface LegacyUpstream {
  /** Its root, without a slash at the end; its documents link to addresses below it. */
  readonly root: string;
  readonly fetch: typeof globalThis.fetch;
  /** Folder of the files that it lists below `{root}/assets/`; absent where they lie elsewhere. */
  readonly directory?: string;
}

/** An upstream at an address. */
export function httpUpstream(url: string): LegacyUpstream {
  return { root: url.replace(/\/+$/, ""), fetch: (...request) => globalThis.fetch(...request) };
}

/** Nobody answers here: requests never leave the process. */
const ARCHIVE_ROOT = "http://archive.invalid/v1";

/** The embedded archive as an upstream, asked in this process. */
export function archiveUpstream(directory: string): LegacyUpstream {
  const handle = createUpstreamHandler(directory, { baseUrl: ARCHIVE_ROOT });
  return { root: ARCHIVE_ROOT, directory, fetch: (input, init) => handle(new Request(input, init)) };
}
