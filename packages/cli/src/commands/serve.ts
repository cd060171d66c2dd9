import { InvalidArgumentError } from "commander";
import type { Context } from "../context.ts";
import { dataFolder, readCatalog } from "../open-scenes.ts";
import type { Add } from "../options.ts";

const DESCRIPTION = "serve the catalog until it is ended: the explorer, a STAC API, tiles and the rest";

/** `swath serve` */
export function addServe(add: Add, { environment }: Context): void {
  add("serve", DESCRIPTION, ["port", "host"], async (options) => {
    const { runService } = await import("@swath/api").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
      throw new InvalidArgumentError("serve needs the service: npm install @swath/api");
    });
    const { catalog, archive, threads, port, host } = options;
    const { name, url } = catalog === undefined ? {} : readCatalog(catalog);
    const given = {
      SWATH_DATA_DIR: dataFolder(options, environment),
      SWATH_UPSTREAM_URL: name === "default" ? url : undefined,
      SWATH_UPSTREAMS: name === undefined || name === "default" ? undefined : `${name}=${url}`,
      SWATH_ARCHIVE: archive,
      SWATH_WORKERS: threads?.toString(),
      PORT: port,
      HOST: host,
    };
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    await runService({ ...environment, ...Object.fromEntries(set) });
  });
}
