import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
/** Where Debian's package `postgresql` puts the server. */
const DEBIAN = "/usr/lib/postgresql";

/** A private server of PostgreSQL. */
export interface PostgresServer {
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

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (let left = 200; ; left--) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (left === 0 || server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
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
  await run(
    join(folder, "initdb"),
    ["-D", data, "-U", "swath", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    options,
  );
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${directory}`,
    "max_connections=200",
    ...(isDurable ? [] : ["fsync=off"]),
    "shared_buffers=32MB",
  ];
  const server = spawn(join(folder, "postgres"), ["-D", data, ...settings.flatMap((each) => ["-c", each])], {
    ...options,
    stdio: "ignore",
  });
  // a test run that is broken off takes its server along
  const kill = (): void => void server.kill("SIGQUIT");
  process.once("exit", kill);
  const url = (database: string): string => `postgres://swath@127.0.0.1:${port}/${database}`;
  await untilItAnswers(url("postgres"), server);
  return {
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
      process.off("exit", kill);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
