import { methodsOf } from "@swath/web";
import { BuiltFiles } from "@swath/web/files";
import { ProblemError } from "../../errors/problems.ts";
import type { Router } from "../../http/request/route.ts";
import type { PageParts } from "../../operations/services.ts";
import { page } from "./pages.ts";
import { EXPLORER_FOLDER } from "./served-folders.ts";

/** Directives that allow pages more than loading from this service alone. */
export const COMMON = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * MapLibre makes its worker from a file of the page, draws icons of its style sheet from `data:`, and previews fetched
 * with the key are shown as `blob:`. It fetches all of a base map, images too, from the map's own origins.
 */
const explorerPolicy = (origins: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self' data: blob:", ...origins].join(" "),
    "worker-src 'self' blob:",
    ...COMMON,
  ].join("; ");

/** The account page holds a session: text never becomes markup or script in it (Trusted Types). */
const ACCOUNT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  ...COMMON,
].join("; ");

export const headersOf = (policy: string): Record<string, string> => ({
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
});

/** Files of the map page; the account page has its own address. */
const SERVED = /^(?:assets\/)?[\w.-]+$/;

/** The page that is served while the explorer is built, or where nobody built it. */
function unbuilt(): Response {
  const response = page(
    "Swath explorer",
    `<h1>The explorer is not built yet</h1>
<p><code>npm start</code> builds its map and account pages beside the service, some seconds after changes; this page shows them as soon as
they are there. By hand they are built by <code>npx vite build apps/explorer</code> in the project's folder.</p>
<p>Meanwhile: <a href="/v1">landing page</a> · <a href="/docs">documentation</a></p>`,
  );
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("Refresh", "5");
  return response;
}

/** The map page at `/explore`, and `/`, which leads a browser there and others to the landing page. */
export function registerExplorer(
  { app, paths }: Router,
  { baseMap }: PageParts = {},
  folder: string = EXPLORER_FOLDER,
): void {
  const files = new BuiltFiles(folder);
  const headers = headersOf(explorerPolicy(baseMap?.origins));
  const root = paths.add("/", methodsOf("get"));
  app.get(root.pattern, (c) => {
    const isBrowser = /\btext\/html\b/.test(c.req.header("Accept") ?? "");
    return new Response(null, {
      status: 302,
      headers: { Location: isBrowser ? "/explore" : "/v1", Vary: "Accept", "Cache-Control": "no-cache" },
    });
  });
  const explore = paths.add("/explore", methodsOf("get"));
  app.get(explore.pattern, async (c) => (await files.send(c, "index.html", headers)) ?? unbuilt());
  const file = paths.add("/explore/{file*}", methodsOf("get"));
  app.get(file.pattern, async (c) => {
    const { file: name = "" } = file.read(c.req.path);
    const response = SERVED.test(name) ? await files.send(c, name, headers) : undefined;
    if (response === undefined) throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
    return response;
  });
}

/** The page at `/account`: sign in, keys, units. Its files are the explorer's. */
export function registerAccountPage({ app, paths }: Router, folder: string = EXPLORER_FOLDER): void {
  const files = new BuiltFiles(folder);
  const account = paths.add("/account", methodsOf("get"));
  app.get(
    account.pattern,
    async (c) => (await files.send(c, "account/index.html", headersOf(ACCOUNT_POLICY))) ?? unbuilt(),
  );
}
