import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("..", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Path below which a {@link PlainSite} has the static folder. */
const BELOW = "/some/where/";

/** A site of its own origin, as any host of files is: the static folder below a path, and pages that tests write. */
export class PlainSite {
  readonly #files = new Map<string, string>();
  readonly #server: Server;
  #folder = "";
  url = "";

  constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site.test");
      const type = TYPES[extname(pathname)] ?? (pathname.endsWith("/") ? TYPES[".html"] : undefined);
      const send = (body: string | Buffer): void =>
        void response.setHeader("Content-Type", type ?? "application/octet-stream").end(body);
      const written = this.#files.get(pathname);
      if (written !== undefined) return send(written);
      const name = pathname.slice(BELOW.length) || "index.html";
      readFile(pathname.startsWith(BELOW) ? join(this.#folder, name) : "").then(send, () =>
        response.writeHead(404).end(),
      );
    });
  }

  /** Builds the static folder and opens the site. */
  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "swath-static-"));
    const words = ["build", "--mode", "static", "--logLevel", "error", "--outDir", this.#folder];
    const env = { ...process.env, NODE_ENV: "production", SWATH_SERVICE: "" };
    const child = spawn(join(app, "node_modules/.bin/vite"), words, { cwd: app, env, stdio: "inherit" });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) throw new Error(`vite build ended with ${code}.`);
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Address of the static folder with fields of a query. */
  page(query: string): string {
    return `${this.url}${BELOW}?${query}`;
  }

  /** @returns the address of a file that is written here */
  add(name: string, text: string): string {
    this.#files.set(`/${name}`, text);
    return `${this.url}/${name}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
