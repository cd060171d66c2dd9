import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { People } from "@swath/accounts";
import type { Store } from "@swath/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineHost, startEngine } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import { linkFor } from "../accounts/account-service.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { FULL } from "../tools/harness.ts";
import { type Served, serveSandbox } from "./served.ts";

const PYTHON = "/usr/bin/python3";
const run = promisify(execFile);
const hasOAuthlib = spawnSync(PYTHON, ["-c", "import requests_oauthlib"]).status === 0;

/** Gets a token, asks with it, and prints both; the last argument says how the client authenticates. */
const SCRIPT = `
import json, sys
from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests_oauthlib import OAuth2Session
url, client_id, secret, scope, how = sys.argv[1:]
session = OAuth2Session(client=BackendApplicationClient(client_id=client_id, scope=scope))
more = {"include_client_id": True} if how == "post" else {}
try:
    token = session.fetch_token(url + "/oauth/token", client_id=client_id, client_secret=secret, **more)
    answer = session.get(url + "/v1/search?limit=1")
    print(json.dumps({"type": token["token_type"], "scope": token["scope"], "expires_in": token["expires_in"],
                      "status": answer.status_code, "features": len(answer.json()["features"])}))
except OAuth2Error as error:
    print(json.dumps({"error": error.error}))
`;

describe.skipIf(!hasOAuthlib)("Python's requests-oauthlib", () => {
  let host: EngineHost;
  let store: Store;
  let accounts: People;
  let service: Served;
  let key: { readonly id: string; readonly secret: string };
  beforeAll(async () => {
    host = await startEngine("sqlite");
    store = await openStore(await host.fresh());
    const mailer = { send: async () => {}, close: () => {} };
    const opened = accountsOn(store, { mailer });
    if (opened.accounts === undefined) throw new Error("There are accounts where mails can be sent.");
    accounts = opened.accounts;
    const link = await linkFor(store, "ann@example.org", Date.now());
    const account = (await accounts.signIn.redeem(link))?.account.id ?? "";
    const made = await accounts.keys.create(account, { name: "k", scopes: ["data"], expires: undefined, max: 2 });
    key = { id: made.key.id, secret: made.secret };
    service = await serveSandbox(FULL, { accounts });
  });
  afterAll(async () => {
    await service?.close();
    await store?.close();
    await host?.stop();
  });

  const fetchToken = async (secret: string, scope: string, how: "basic" | "post") => {
    const env = { ...process.env, OAUTHLIB_INSECURE_TRANSPORT: "1" };
    const { stdout } = await run(PYTHON, ["-c", SCRIPT, service.url, key.id, secret, scope, how], { env });
    return JSON.parse(stdout);
  };

  test.each(["basic", "post"] as const)(
    "gets a token by client_secret_%s and searches with it",
    { tags: ["AC13"] },
    async (how) => {
      expect(await fetchToken(key.secret, "data", how)).toEqual({
        type: "Bearer",
        scope: ["data"],
        expires_in: 3600,
        status: 200,
        features: 1,
      });
    },
  );

  test("raises the standard's errors", async () => {
    expect(await fetchToken("wrong", "data", "basic")).toEqual({ error: "invalid_client" });
    expect(await fetchToken(key.secret, "account", "basic")).toEqual({ error: "invalid_scope" });
  });
});
