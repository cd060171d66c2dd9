import { methodsOf } from "@swath/web";
import { BuiltFiles } from "@swath/web/files";
import { ProblemError } from "../../errors/problems.ts";
import type { AppContext } from "../../http/request/context.ts";
import type { Router } from "../../http/request/route.ts";
import { COMMON, headersOf } from "./explorer.ts";
import { page } from "./pages.ts";
import { DOCUMENTS_FOLDER } from "./served-folders.ts";

/** Highlighted code has its colours in `style` attributes; the console shows answers that are images as `blob:`. */
const HEADERS = headersOf(
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    ...COMMON,
  ].join("; "),
);

/** The page that is served while the documents are built, or where nobody built them. */
function unbuilt(): Response {
  const response = page(
    "Documentation",
    `<h1>The documents are not built yet</h1>
<p><code>npm start</code> builds them beside the service, about a minute after changes; this page shows them as soon as they are there.
By hand they are built by <code>npm run docs</code> in the project's folder.</p>
<p>Meanwhile: <a href="/v1">landing page</a> · <a href="/v1/openapi.json">OpenAPI document</a></p>`,
  );
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("Refresh", "5");
  return response;
}

/** The page that says that there is none, which leads to the others. */
function notFound({ body, headers }: Response): Response {
  const own = new Headers(headers);
  own.delete("ETag");
  own.set("Cache-Control", "no-store");
  return new Response(body, { status: 404, headers: own });
}

/** The documents of the service at `/docs`, as `apps/docs` builds them: pages without the ending `.html`, and their files. */
export function registerDocuments({ app, paths }: Router, folder: string = DOCUMENTS_FOLDER): void {
  const files = new BuiltFiles(folder);
  const send = (c: AppContext, name: string): Promise<Response | undefined> => files.send(c, name, HEADERS);
  const first = paths.add("/docs", methodsOf("get"));
  app.get(first.pattern, async (c) => (await send(c, "index.html")) ?? unbuilt());
  const route = paths.add("/docs/{page*}", methodsOf("get"));
  app.get(route.pattern, async (c) => {
    const name = (route.read(c.req.path).page ?? "").replace(/\/$/, "");
    const isPage = !/\.\w+$/.test(name);
    const candidates = name === "" ? ["index.html"] : isPage ? [`${name}.html`, `${name}/index.html`] : [name];
    for (const candidate of candidates) {
      const found = await send(c, candidate);
      if (found !== undefined) return found;
    }
    if (isPage && (await send(c, "index.html")) === undefined) return unbuilt();
    const isBrowser = /\btext\/html\b/.test(c.req.header("Accept") ?? "");
    const missing = isPage && isBrowser ? await send(c, "404.html") : undefined;
    if (missing?.ok) return notFound(missing);
    throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
  });
}
