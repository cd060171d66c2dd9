import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import type { StoreSettings } from "../../packages/store/src/node/open-store.ts";
import { hasPostgres, startPostgres } from "./postgres-server.ts";

type Engine = "sqlite" | "postgres";

/** Databases for tests, each new and empty. */
export interface EngineHost {
  readonly engine: Engine;
  fresh(): Promise<StoreSettings>;
  stop(): Promise<void>;
}

async function startSqlite(): Promise<EngineHost> {
  const directory = await mkdtemp(join(tmpdir(), "swath-sqlite-"));
  return {
    engine: "sqlite",
    fresh: async () => ({ dataDir: await mkdtemp(join(directory, "d")) }),
    stop: () => rm(directory, { recursive: true, force: true }),
  };
}

export async function startEngine(engine: Engine): Promise<EngineHost> {
  if (engine === "sqlite") return startSqlite();
  const server = await startPostgres();
  const directory = await mkdtemp(join(tmpdir(), "swath-nodes-"));
  return {
    engine: "postgres",
    fresh: async () => ({ dataDir: directory, databaseUrl: await server.freshDatabase() }),
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The same tests on each engine; where PostgreSQL is not installed its tests are skipped, and their title says so. */
export function describeEngines(title: string, tests: (host: () => EngineHost, engine: Engine) => void): void {
  for (const engine of ["sqlite", "postgres"] as const) {
    const missing = engine === "postgres" && !hasPostgres;
    const why = missing ? " (skipped: Debian's package postgresql is not installed)" : "";
    describe.skipIf(missing)(`${title} on ${engine}${why}`, () => {
      let host: EngineHost | undefined;
      beforeAll(async () => {
        host = await startEngine(engine);
      });
      afterAll(() => host?.stop());
      tests(() => {
        if (host === undefined) throw new Error("The engine has not started.");
        return host;
      }, engine);
    });
  }
}
