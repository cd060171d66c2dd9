import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AccountsParts, MapLimitError } from "@swath/accounts";

const YEAR_MS = 365 * 86_400_000;
/** A tile of the synthetic archive, and a month in which it is whole. */
const TILE = "tiles/true-color/WebMercatorQuad/9/275/182.png?datetime=2024-07";

/** A key for trying the service out: made once, kept in the data directory. */
export async function tryOutKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "sandbox-key");
  const known = await readSecret(path);
  if (known !== "") return known;
  const key = randomBytes(20).toString("hex");
  await writeSecret(path, key);
  return key;
}

/**
 * The path of a tile that needs no key: of a map of the owner's, made once and kept in the data directory, and again where it has
 * ended; undefined where the owner has as many maps as there may be.
 */
export async function tryOutTile(
  dataDir: string,
  { tokens, lookup }: NonNullable<AccountsParts["maps"]>,
): Promise<string | undefined> {
  const path = join(dataDir, "sandbox-map");
  let token = await readSecret(path);
  if ((await lookup.identify(token, undefined)) === undefined) {
    const settings = { name: "sandbox", unitsPerDay: 1000, expires: Date.now() + YEAR_MS };
    try {
      token = (await tokens.create(undefined, settings)).secret;
    } catch (error) {
      if (error instanceof MapLimitError) return undefined;
      throw error;
    }
    await writeSecret(path, token);
  }
  return `/v1/m/${token}/${TILE}`;
}

async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim();
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
}
