// The service twice over one archive and one store, in one process: with the units of accounts, and with counts of requests alone.
// node --conditions=@swath/source bench/unit-server.ts DATA_DIRECTORY
// Prints the two ports. Keys of accounts are `account-0`, `account-1`, ...; the owner's is `owner`.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { openRegistry } from "../apps/api/src/open/collection-files.ts";
import { parseEnvironment } from "../apps/api/src/open/environment/environment.ts";
import { openRenderer } from "../apps/api/src/open/open-renderer.ts";
import type { Services } from "../apps/api/src/operations/services.ts";
import { createApp } from "../apps/api/src/service/app.ts";
import type { PartsOptions } from "../apps/api/src/service/open-scenes.ts";
import { openParts } from "../apps/api/src/service/parts.ts";
import { fullProfile } from "../apps/api/src/service/profiles/full.ts";
import { type Authenticator, createAccess } from "../packages/accounts/src/hono/index.ts";
import { ownerIdentity } from "../packages/accounts/src/identity.ts";
import { createHttpServer } from "../packages/web/src/server.ts";

const environment = parseEnvironment({
  ...process.env,
  SWATH_DATA_DIR: process.argv[2] ?? ".",
  SWATH_API_KEYS: "owner",
  SWATH_LOG_LEVEL: "silent",
  SWATH_LIMIT_KEY_RPS: "1000000",
  SWATH_LIMIT_KEY_BURST: "1000000",
  SWATH_LIMIT_KEY_MONTHLY: "1000000000",
  SWATH_LIMIT_SERVICE_RPS: "1000000",
  SWATH_LIMIT_SERVICE_BURST: "1000000",
});

/** Every `account-N` is a key of its own account; there is no table to look up, with units or without. */
const authenticator: Authenticator = {
  kinds: ["key"],
  scheme: { name: "Key", definition: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key." } },
  read: ({ header }) => header("X-API-Key"),
  identify: async (secret) =>
    secret === "owner"
      ? ownerIdentity(secret)
      : { credential: "key", subject: secret, account: secret, usedKey: secret, scopes: ["data"], tier: "pro" },
  invalidDetail: "No such key.",
  challenge: () => "ApiKey",
};

const renderer = openRenderer(environment, openRegistry(environment));
const silent = { info: () => {}, warn: () => {}, error: () => {}, child: () => silent };
const log = silent as unknown as PartsOptions["log"];
const { services } = await openParts(environment, { renderer, log, print: () => {} });

async function listen(served: Services): Promise<number> {
  const access = createAccess({ authenticators: [authenticator], missingDetail: "No key." });
  const app = createApp(served, { ...fullProfile(served), access });
  const server = createHttpServer(app, { hostname: "127.0.0.1" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const { units: _, ...without } = services;
console.log(`${await listen(services)} ${await listen(without)}`);
