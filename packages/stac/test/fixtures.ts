import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.env.SWATH_FIXTURES;
/** The folder of recorded STAC documents; `undefined` where the fixtures are not at hand. */
export const stacFixtures: string | undefined = root === undefined ? undefined : join(root, "stac");

export interface Recording {
  readonly request: { readonly method: string; readonly uri: string; readonly body?: unknown };
  readonly status: number;
  readonly body: string;
}

/** A recorded exchange of Earth Search v1. */
export function recording(name: string): Recording {
  const folder = join(stacFixtures ?? "", "earth-search", "v1");
  const { request, response } = JSON.parse(readFileSync(join(folder, `${name}.exchange.json`), "utf8")) as {
    request: Recording["request"];
    response: { status: number };
  };
  return { request, status: response.status, body: readFileSync(join(folder, `${name}.body.json`), "utf8") };
}

/** Every recorded document except exchanges, by its path. */
export function documents(folder = stacFixtures ?? ""): { path: string; document: unknown }[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(".json") && !path.endsWith(".exchange.json"))
    .sort()
    .map((path) => ({ path, document: JSON.parse(readFileSync(join(folder, path), "utf8")) as unknown }));
}
