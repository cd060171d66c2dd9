import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "@swath/store";
import { checkAddresses, ListenError } from "@swath/web/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startEngine } from "../../../../test/tools/engines.ts";
import { CLOSED_PORT, freePort } from "../../../../test/tools/free-port.ts";
import { hasPostgres } from "../../../../test/tools/postgres-server.ts";
import { checkDataDirectory, checkResultFolder } from "../../src/open/data-directory.ts";
import { EnvironmentError, parseEnvironment } from "../../src/open/environment/environment.ts";
import { unknownVariables } from "../../src/open/environment/unknown-variables.ts";
import { readVariables, VARIABLE_NAMES } from "../../src/open/environment/variables.ts";
import { listenAddresses } from "../../src/open/listen-address.ts";
import { openStore } from "../../src/open/open-store.ts";
import { FleetNode } from "./fleet/node.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-start-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error("Nothing was thrown."),
    (error: unknown) => error as Error,
  );
}

describe("a data directory", () => {
  test("that can be written to is made, and nothing is left in it", async () => {
    const path = join(folder, "new", "data");
    await checkDataDirectory(path);
    await expect(rm(path, { recursive: false })).rejects.toMatchObject({ code: "ERR_FS_EISDIR" });
    await checkDataDirectory(path);
  });

  test.each([
    { what: "is a file", make: (path: string) => writeFile(path, ""), at: "" },
    { what: "lies below a file", make: (path: string) => writeFile(path, ""), at: "/below" },
    {
      what: "has a file in place of results",
      make: async (path: string) => writeFile(join(await made(path), "results"), ""),
      at: "",
    },
    {
      what: "has a file in place of the archive",
      make: async (path: string) => writeFile(join(await made(path), "sandbox"), ""),
      at: "",
    },
    {
      what: "has a folder in place of its state",
      make: async (path: string) => made(join(await made(path), "state.sqlite")),
      at: "",
    },
  ])("that $what stops the start with one line", async ({ what, make, at }) => {
    const path = join(folder, what.replaceAll(" ", "-"));
    await make(path);
    const error = await errorOf(checkDataDirectory(`${path}${at}`));
    expect(error).toBeInstanceOf(EnvironmentError);
    expect(error.message).toMatch(
      /^SWATH_DATA_DIR="[^\n]+": Expected a folder that the service may write to, but [^\n]+ is none \(E[A-Z]+\)$/,
    );
  });

  test.skipIf(process.platform !== "linux")("in which nothing can be made stops the start", async () => {
    for (const path of ["/proc/self", "/proc/self/swath/data"]) {
      const error = await errorOf(checkDataDirectory(path));
      expect(error).toBeInstanceOf(EnvironmentError);
      expect(error.message).toMatch(/^SWATH_DATA_DIR="\/proc\/self[^\n]* is none \(ENOENT\)$/);
    }
  });

  test("may be without the folder of results, which stops the start where it cannot be written to", async () => {
    const path = await made(join(folder, "results-elsewhere"));
    const file = join(path, "file");
    await writeFile(file, "");
    const check = (url?: string) =>
      checkResultFolder({ dataDir: path, results: parseEnvironment({ SWATH_RESULTS_URL: url }).results });
    await check();
    await check(pathToFileURL(join(path, "new", "folder")).href);
    for (const bad of [file, join(file, "below"), "/proc/self/swath"]) {
      const error = await errorOf(check(pathToFileURL(bad).href));
      expect(error).toBeInstanceOf(EnvironmentError);
      expect(error.message).toMatch(
        /^SWATH_RESULTS_URL="file:\/\/[^\n]+": Expected a folder that the service may write to, but [^\n]+ is none \(E[A-Z]+\)$/,
      );
    }
    await rm(join(path, "results"), { recursive: true });
    await writeFile(join(path, "results"), "");
    expect((await errorOf(check())).message).toMatch(/^SWATH_DATA_DIR="[^\n]+results[^\n]* is none \(E[A-Z]+\)$/);
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot)(
    `that is read-only stops the start${isRoot ? " (skipped: root writes everywhere)" : ""}`,
    async () => {
      const path = await made(join(folder, "read-only"));
      await chmod(path, 0o500);
      expect((await errorOf(checkDataDirectory(path))).message).toContain("(EACCES)");
    },
  );

  test("whose state is no database, or is locked, is named", async () => {
    const path = await made(join(folder, "damaged"));
    await writeFile(join(path, "state.sqlite"), "this is no database, but it is long enough to be looked at");
    const damaged = await errorOf(openStore({ dataDir: path }));
    expect(damaged).toBeInstanceOf(StoreError);
    expect(damaged.message).toBe("SWATH_DATA_DIR: state.sqlite is damaged, or no SQLite file.");
    const busy = await made(join(folder, "busy"));
    const other = new DatabaseSync(join(busy, "state.sqlite"));
    other.exec("begin exclusive");
    // each look at the clock is a second later: what is waited for so long takes no time
    let looks = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => 1000 * looks++);
    const locked = await errorOf(openStore({ dataDir: busy }));
    clock.mockRestore();
    expect(looks).toBeGreaterThan(10);
    other.exec("rollback");
    other.close();
    expect(locked).toMatchObject({
      code: "unavailable",
      message: "SWATH_DATA_DIR: another process keeps state.sqlite locked.",
    });
  });
});

async function made(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return path;
}

describe("a database", () => {
  test("that does not answer is named by its variable and host, without who logs in", { tags: ["AF12"] }, async () => {
    const host = `127.0.0.1:${CLOSED_PORT}`;
    const error = await errorOf(openStore({ dataDir: folder, databaseUrl: `postgres://ann:hunter2@${host}/swath` }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toBe(`DATABASE_URL: the database at ${host} does not answer (ECONNREFUSED).`);
  });

  test("whose name nobody knows is named", async () => {
    const error = await errorOf(openStore({ dataDir: folder, databaseUrl: "postgres://ann@db.invalid/swath" }));
    expect(error.message).toMatch(/^DATABASE_URL: the database at db\.invalid does not answer \(E[A-Z_]+\)\.$/);
  });

  const title = hasPostgres ? "that refuses us" : "that refuses us (skipped: PostgreSQL is not installed)";
  test.skipIf(!hasPostgres)(`${title} says why in one line`, async () => {
    const host = await startEngine("postgres");
    try {
      const { databaseUrl = "" } = await host.fresh();
      const url = new URL(databaseUrl);
      url.pathname = "/nowhere";
      const error = await errorOf(openStore({ dataDir: folder, databaseUrl: url.href }));
      expect(error).toBeInstanceOf(StoreError);
      expect(error.message).toBe(
        `DATABASE_URL: the database at ${url.host} refuses the service: database "nowhere" does not exist.`,
      );
    } finally {
      await host.stop();
    }
  });
});

test.each([
  { name: "SWATH_UPSTREAM_ULR", near: "SWATH_UPSTREAM_URL" },
  { name: "SWATH_ASSETS_HOSTS", near: "SWATH_ASSET_HOSTS" },
  { name: "SWATH_RESULT_URL", near: "SWATH_RESULTS_URL" },
  { name: "SWATH_API_KEY", near: "SWATH_API_KEYS" },
])("$name is noticed, and $near is named", { tags: ["AF12"] }, ({ name, near }) => {
  expect(unknownVariables([name, "PATH", near], VARIABLE_NAMES)).toEqual([
    `${name} is no variable of this service. Did you mean ${near}?`,
  ]);
});

test("operations lists every variable, with its default", async () => {
  const page = await readFile(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) +\|(.*)/gm)].map(([, names = "", text = ""]) => ({
    names: names.match(/[A-Z][A-Z0-9_]+/g) ?? [],
    text,
  }));
  expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(VARIABLE_NAMES.toSorted());
  const read = readVariables({});
  const { SWATH_WORKERS, SWATH_DATA_DIR, ...defaults } = "values" in read ? read.values : expect.unreachable();
  expect([SWATH_WORKERS, SWATH_DATA_DIR]).toEqual([availableParallelism(), resolve("data")]);
  const given = rows.flatMap(({ names, text }) => names.map((name) => ({ name, text })));
  for (const [name, value] of Object.entries(defaults)) {
    if (typeof value !== "number" && typeof value !== "string") continue;
    const { text = "" } = given.find((row) => row.name === name) ?? {};
    const inBrackets = [...text.matchAll(/\(([^()]*)\)/g)].map(([, words]) => words).join("; ");
    expect(inBrackets.replaceAll(/(?<=\d),(?=\d{3})/g, ""), name).toContain(String(value));
  }
});

test("no known variable is noticed, nor one of tests; a name like no other is noticed without a guess", () => {
  const tools = ["SWATH_FIXTURES", "SWATH_SCHEMAS", "SWATH_FLEET_RATE", "SWATH_BENCH_DIR"];
  expect(unknownVariables([...VARIABLE_NAMES, ...tools, "AWS_PROFILE", "HOME"], VARIABLE_NAMES)).toEqual([]);
  expect(unknownVariables(["SWATH_QQQQQQQQQQQQQQQQQQQQQQQQ"], VARIABLE_NAMES)).toEqual([
    "SWATH_QQQQQQQQQQQQQQQQQQQQQQQQ is no variable of this service.",
  ]);
});

test("the process says one line and ends where it cannot start, before it makes anything", {
  tags: ["AF12"],
}, async () => {
  const blocked = join(folder, "blocked");
  await writeFile(blocked, "");
  const node = new FleetNode("node", { SWATH_DATA_DIR: blocked, SWATH_WORKERZ: "2" });
  const { message } = await errorOf(node.start());
  const lines = message.split("\n").filter((line) => line !== "");
  expect(lines.length, message).toBe(2);
  expect(lines[0]).toContain(
    "node ended (1): swath: SWATH_WORKERZ is no variable of this service. Did you mean SWATH_WORKERS?",
  );
  expect(lines[1]).toMatch(/^swath: SWATH_DATA_DIR="[^"]+": Expected a folder that the service may write to/);
});

test("each variable that cannot be used is a line of its own, and the exit code is 1", async () => {
  const node = new FleetNode("node", { PORT: "http", SWATH_ROLE: "boss", SWATH_DATA_DIR: join(folder, "unused") });
  const { message } = await errorOf(node.start());
  const lines = message.split("\n").filter((line) => line !== "");
  expect(lines).toEqual([
    expect.stringMatching(/^node ended \(1\): swath: PORT="http": \S/),
    expect.stringMatching(/^swath: SWATH_ROLE="boss": \S/),
  ]);
});

describe("an address", () => {
  let taken: Server;
  let port: number;
  beforeAll(async () => {
    taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    ({ port } = taken.address() as AddressInfo);
  });
  afterAll(() => taken.close());
  const errorAt = (variables: Readonly<Record<string, string>>): Promise<Error> =>
    errorOf(checkAddresses(Object.values(listenAddresses(parseEnvironment({ PORT: "0", ...variables })))));

  test("that can be listened at is free again once it was tried", async () => {
    const variables = { PORT: String(await freePort()), SWATH_HEALTH_PORT: String(await freePort()) };
    const addresses = listenAddresses(parseEnvironment(variables));
    await checkAddresses(Object.values(addresses));
    await checkAddresses(Object.values(addresses));
    expect(addresses.probes?.port).toBe(Number(variables.SWATH_HEALTH_PORT));
  });

  test.each([
    ["HOST", "PORT"],
    ["SWATH_METRICS_HOST", "SWATH_METRICS_PORT"],
    ["SWATH_HEALTH_HOST", "SWATH_HEALTH_PORT"],
  ])("of %s and %s that is taken is one line that names both and what to do", { tags: ["Q16"] }, async (host, name) => {
    const error = await errorAt({ [name]: String(port) });
    expect(error).toBeInstanceOf(ListenError);
    expect(error.message).toBe(
      `${host}="127.0.0.1", ${name}="${port}": something listens there already. Stop it, or set ${name} to another port (EADDRINUSE)`,
    );
  });

  test("that two variables name is refused too", async () => {
    const port = String(await freePort());
    const { message } = await errorAt({ SWATH_METRICS_PORT: port, SWATH_HEALTH_PORT: port });
    expect(message).toMatch(
      /^SWATH_HEALTH_HOST="127\.0\.0\.1", SWATH_HEALTH_PORT="\d+": something listens there already/,
    );
  });

  test.each([
    // TEST-NET-1 is no machine's (RFC 5737), nor is anything below .invalid (RFC 6761)
    { host: "192.0.2.1", says: "HOST is no address of this machine. Expected one that it has, such as 127.0.0.1" },
    { host: "nowhere.invalid", says: "nobody knows the name in HOST. Expected an address of this machine" },
  ])("at $host, which is not this machine's, is one line", { tags: ["Q16"] }, async ({ host, says }) => {
    const { message } = await errorAt({ HOST: host });
    expect(message).toContain(`HOST="${host}", PORT="0": ${says}`);
    expect(message).toMatch(/^[^\n]+ \(E[A-Z_]+\)$/);
  });

  test("of requests is not a worker's", async () => {
    expect((await errorAt({ PORT: String(port), SWATH_ROLE: "worker" })).message).toBe("Nothing was thrown.");
  });

  test("that is taken ends the process with that line, before anything is made", { tags: ["Q16"] }, async () => {
    const data = join(folder, "never");
    const node = new FleetNode("node", { SWATH_DATA_DIR: data, PORT: String(port) });
    const { message } = await errorOf(node.start());
    expect(message.trim()).toMatch(/^node ended \(1\): swath: HOST="127\.0\.0\.1", PORT="\d+": [^\n]+ \(EADDRINUSE\)$/);
    await expect(stat(data)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

test("an upstream that does not answer is one line of the log, and one that hangs does not delay the start", {
  tags: ["AF15"],
}, async () => {
  let asked = 0;
  const hanging = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((done) => {
    hanging.listen(0, "127.0.0.1", done);
  });
  const { port } = hanging.address() as AddressInfo;
  const log = join(folder, "start.log");
  const node = new FleetNode(
    "node",
    {
      SWATH_DATA_DIR: join(folder, "upstreams"),
      SWATH_UPSTREAM_URL: `http://127.0.0.1:${port}`,
      SWATH_UPSTREAMS: `own=http://127.0.0.1:${CLOSED_PORT}`,
      SWATH_WORKERS: "1",
    },
    log,
  );
  try {
    // this waits until the process says that it listens, while nobody ever answers one of its upstreams
    await node.start();
    expect((await fetch(`${node.url}/v1`)).status).toBe(200);
    const told = async (): Promise<string[]> =>
      (await readFile(log, "utf8")).split("\n").filter((line) => line.includes('"upstream":"own"'));
    await expect.poll(async () => (await told()).length).toBe(1);
    expect((await told())[0]).toMatch(
      /own, landing page: The upstream did not answer: connect ECONNREFUSED .* To do: /,
    );
    expect(asked).toBeGreaterThan(0);
  } finally {
    await node.kill();
    hanging.close();
  }
});

test("a node behind a proxy says where it listens itself, and the addresses that people open are the proxy's", async () => {
  const log = join(folder, "proxied.log");
  const environment = {
    SWATH_DATA_DIR: join(folder, "proxied"),
    SWATH_UPSTREAM_URL: `http://127.0.0.1:${CLOSED_PORT}`,
    SWATH_PUBLIC_URL: "https://maps.example",
    SWATH_WORKERS: "1",
  };
  const node = new FleetNode("node", environment, log);
  try {
    await node.start();
    expect((await fetch(`${node.url}/live`)).status).toBe(200);
    const printed = (): Promise<string> => readFile(log, "utf8");
    await expect.poll(printed).toContain("  landing page   https://maps.example/v1\n");
  } finally {
    await node.kill();
  }
});
