import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
/** Where Debian's package `postgresql` puts the server. */
const DEBIAN = "/usr/lib/postgresql";

/** A private server of PostgreSQL. */
export interface PostgresServer {
  /** Its first process, which starts one for each connection. */
  readonly pid: number;
  /** Makes an empty database and gives its address. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

async function binaryFolder(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(DEBIAN, newest, "bin");
}

const binaries = await binaryFolder();
/** The folder of its programs. */
export const postgresPrograms = binaries;
/** Whether PostgreSQL is installed here. */
export const hasPostgres = binaries !== undefined;

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as one of the accounts without rights. */
async function account(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const found = await run("id", ["-u", name]).catch(() => undefined);
    if (found === undefined) continue;
    const group = await run("id", ["-g", name]);
    return { uid: Number(found.stdout), gid: Number(group.stdout) };
  }
  throw new Error("There is no account that PostgreSQL could run as.");
}

/** Folder of an empty cluster, by the version of PostgreSQL, which is made once and kept between runs. */
const CLUSTERS = fileURLToPath(new URL("../../node_modules/.cache/swath-postgres", import.meta.url));

/** Makes an empty cluster, by a copy where one was made before: `initdb` takes more than all that most tests do with one. */
async function makeCluster(folder: string, data: string, options: { readonly cwd: string }): Promise<void> {
  const made = join(CLUSTERS, basename(dirname(folder)));
  const copy = (from: string, to: string) => run("cp", ["-a", from, to]);
  if (existsSync(made)) {
    await copy(made, data);
    return;
  }
  const parameters = ["-D", data, "-U", "swath", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await run(join(folder, "initdb"), parameters, options);
  const copied = `${made}.${randomUUID()}`;
  await mkdir(CLUSTERS, { recursive: true });
  await copy(data, copied);
  // another process may have been faster
  await rename(copied, made).catch(() => rm(copied, { recursive: true, force: true }));
}

/** Ports that are tried. */
const PORTS = 5;

/** Whether the server that runs in a folder takes connections: the last line of its file says so. */
async function isReady(data: string): Promise<boolean> {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return lines[7]?.trim() === "ready";
}

interface Running {
  readonly server: ChildProcess;
  readonly port: number;
}

/** Starts a server on a port that nothing listens on, and on another one where a program was faster; waits until it is ready. */
async function startServer(
  folder: string,
  data: string,
  settings: readonly string[],
  options: SpawnOptions,
): Promise<Running> {
  let printed = "";
  for (let left = PORTS; left > 0; left--) {
    const port = await freePort();
    const given = [...settings, `port=${port}`].flatMap((each) => ["-c", each]);
    const server = spawn(join(folder, "postgres"), ["-D", data, ...given], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    // a test run that is broken off takes its server along
    const kill = (): void => void server.kill("SIGQUIT");
    process.once("exit", kill);
    server.once("exit", () => process.off("exit", kill));
    server.stderr?.on("data", (chunk: Buffer) => {
      printed = `${printed}${chunk}`.slice(-2000);
    });
    while (server.exitCode === null && server.signalCode === null) {
      if (await isReady(data)) return { server, port };
      await pause(20);
    }
  }
  throw new Error(`PostgreSQL has not started: ${printed}`);
}

/**
 * Starts a private PostgreSQL cluster on a loopback port, gone with its folder when it is stopped.
 *
 * @param isDurable whether a commit waits for the disk.
 * @throws {Error} where PostgreSQL is not installed.
 */
export async function startPostgres({
  isDurable = false,
}: {
  readonly isDurable?: boolean;
} = {}): Promise<PostgresServer> {
  const folder = binaries;
  if (folder === undefined) throw new Error("PostgreSQL's server is not installed.");
  const directory = await mkdtemp(join(tmpdir(), "swath-postgres-"));
  const user = await account();
  if (user !== undefined) await chown(directory, user.uid, user.gid);
  const as = user === undefined ? {} : user;
  const data = join(directory, "data");
  const options = { cwd: directory, ...as };
  await makeCluster(folder, data, options);
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${directory}`,
    "max_connections=200",
    ...(isDurable ? [] : ["fsync=off"]),
    "shared_buffers=32MB",
  ];
  const { server, port } = await startServer(folder, data, settings, options);
  const url = (database: string): string => `postgres://swath@127.0.0.1:${port}/${database}`;
  return {
    pid: server.pid!,
    async freshDatabase() {
      const name = `t_${randomUUID().replaceAll("-", "")}`;
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    async stop() {
      const ended = once(server, "exit");
      server.kill("SIGQUIT");
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
