import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { APP, ROOT } from "../scripts/content/paths.ts";

/** The site as the server has it. */
export const DIST: string = join(APP, "dist");

/** Builds the site where it is older than its sources. */
export async function buildSite(): Promise<void> {
  const args = ["--conditions=@swath/source", "apps/docs/scripts/build.ts", "--if-stale"];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The site was not built:\n${printed}`);
}

export interface BuiltPage {
  /** Address that the server has it at, such as `/docs/guides/curl`. */
  readonly address: string;
  readonly html: string;
}

/** All pages that VitePress wrote. */
export function builtPages(): readonly BuiltPage[] {
  return globSync("**/*.html", { cwd: DIST })
    .filter((name) => name !== "404.html" && name !== "api/index.html")
    .sort()
    .map((name) => ({
      address: `/docs/${name.replace(/(index)?\.html$/, "")}`.replace(/\/$/, ""),
      html: readFileSync(join(DIST, name), "utf8"),
    }));
}
