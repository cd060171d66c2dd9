import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "../context.ts";
import type { On } from "../main.ts";
import { dataFolder, readCatalog } from "../open-scenes.ts";
import type { Options } from "../options.ts";

interface ServeOptions extends Options {
  readonly port?: string;
  readonly host?: string;
}

/** `swath serve` */
export function addServe(program: Command, { environment }: Context, on: On): void {
  const serve = program
    .command("serve")
    .description("serve the catalog until it is ended: the explorer, a STAC API, tiles and the rest")
    .option("--port <number>", "default: 8080")
    .option("--host <address>", "default: 127.0.0.1");
  on(serve, async (options: ServeOptions) => {
    const { runService } = await import("@swath/api").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
      throw new InvalidArgumentError("serve needs the service: npm install @swath/api");
    });
    const { catalog, archive, threads, port, host } = options;
    const { name, url } = catalog === undefined ? {} : readCatalog(catalog);
    const given = {
      SWATH_DATA_DIR: dataFolder(options, environment),
      ...(name === "default"
        ? { SWATH_UPSTREAM_URL: url }
        : name === undefined
          ? {}
          : { SWATH_UPSTREAMS: `${name}=${url}` }),
      SWATH_ARCHIVE: archive,
      SWATH_WORKERS: threads?.toString(),
      PORT: port,
      HOST: host,
    };
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    await runService({ ...environment, ...Object.fromEntries(set) });
  });
}
