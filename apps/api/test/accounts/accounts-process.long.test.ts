import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../../../test/tools/child-environment.ts";
import { FleetNode } from "../operations/fleet/node.ts";

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL("../../src/commands/accounts.ts", import.meta.url));

let folder: string;
let node: FleetNode;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-accounts-"));
  environment = {
    SWATH_DATA_DIR: join(folder, "data"),
    // nothing is searched here, and so nothing is made or asked for
    SWATH_UPSTREAM_URL: "http://127.0.0.1:9/v1",
    SWATH_WORKERS: "1",
    SWATH_KEY_PREFIX: "maps",
  };
  node = new FleetNode("node", environment, join(folder, "log"));
  await node.start();
});
afterAll(async () => {
  await node.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, body?: object, token?: string): Promise<Response> =>
  fetch(`${node.url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** The token of the one mail in the outbox. */
async function mailed(): Promise<string> {
  const outbox = join(folder, "data", "outbox");
  let names: string[] = [];
  await expect
    .poll(async () => {
      names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml"));
      return names.length;
    })
    .toBe(1);
  const text = await readFile(join(outbox, names[0] ?? ""), "utf8");
  return /#token=(\w+)/.exec(text.replaceAll("=\n", "").replaceAll("=3D", "="))?.[1] ?? "";
}

test("a service started for this machine says where mails go, and what persons have survives kill -9", async () => {
  expect((await ask("POST", "/v1/account", { email: "ann@example.org" })).status).toBe(202);
  const token = await mailed();
  expect(await readFile(join(folder, "log"), "utf8")).toContain(
    `sign-up mails  files in ${join(folder, "data", "outbox")}`,
  );
  const { accessToken } = await (await ask("POST", "/v1/account/session", { token })).json();
  const { id, secret } = await (await ask("POST", "/v1/keys", { name: "k" }, accessToken)).json();
  expect(secret).toMatch(/^maps_\w{40}$/);
  await node.kill();
  await node.start();
  expect(await (await ask("GET", `/v1/keys/${id}`, undefined, accessToken)).json()).toMatchObject({ status: "active" });
  expect((await ask("POST", "/v1/account/session", { token })).status).toBe(401);
  const log = await readFile(join(folder, "log"), "utf8");
  for (const hidden of [token, accessToken, secret, "ann@example.org"]) expect(log).not.toContain(hidden);
});

test("the owner's command works beside the running service", async () => {
  const command = (...args: string[]) =>
    run(process.execPath, ["--conditions=@swath/source", COMMAND, ...args], {
      env: { ...childEnvironment(), ...environment },
    });
  const created = await command("create", "--email", "bob@example.org", "--key");
  const secret = /^secret +(\S+)$/m.exec(created.stdout)?.[1] ?? "";
  const refused = await fetch(`${node.url}/v1/process/jobs/x`, { headers: { "X-API-Key": secret } });
  expect([refused.status, (await refused.json()).code]).toEqual([403, "email-unverified"]);
  const { stdout } = await command("list");
  expect(stdout).toMatch(/free +active +1 +ann@example\.org\n.*free +unverified +1 +bob@example\.org/);
  await expect(command("suspend", "eve@example.org")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("eve@example.org"),
  });
});
