import { type Command, InvalidArgumentError } from "commander";
import type { Context, Run } from "../main.ts";
import { dataFolder, readCatalog } from "../open-engine.ts";
import { type CommonOptions, whole } from "../options.ts";

interface ServeOptions extends CommonOptions {
  readonly port?: number;
  readonly host?: string;
}

/** `swath serve` */
export function addServe(program: Command, context: Context, run: Run): void {
  program
    .command("serve")
    .description("serve the catalog: the explorer, a STAC API, tiles and the rest, until it is ended")
    .option("--port <number>", "default: 8080", whole)
    .option("--host <address>", "default: 127.0.0.1")
    .action((_: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<ServeOptions>();
        const { runService } = await import("@swath/api").catch((error: unknown) => {
          const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
          if (!isMissing) throw error;
          throw new InvalidArgumentError("serve needs the service: npm install @swath/api");
        });
        await runService(variablesOf(options, context.environment));
      }),
    );
}

/** The environment of the service. */
function variablesOf(
  { catalog, archive, threads, port, host, data }: ServeOptions,
  environment: Context["environment"],
): Readonly<Record<string, string | undefined>> {
  const { name, url } = catalog === undefined ? {} : readCatalog(catalog);
  const given = {
    SWATH_UPSTREAM_URL: name === "default" ? url : undefined,
    SWATH_UPSTREAMS: name === undefined || name === "default" ? undefined : `${name}=${url}`,
    SWATH_ARCHIVE: archive,
    SWATH_WORKERS: threads === undefined ? undefined : String(threads),
    PORT: port === undefined ? undefined : String(port),
    HOST: host,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...environment, SWATH_DATA_DIR: dataFolder({ data, environment }), ...set };
}
