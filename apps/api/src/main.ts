import { StoreError } from "@swath/store";
import { openRegistry } from "./collection-files.ts";
import { checkDataDirectory } from "./data-directory.ts";
import { EnvironmentError, parseEnvironment, VARIABLE_NAMES } from "./environment.ts";
import { checkAddresses, listenAddresses } from "./listen-address.ts";
import { openRenderer } from "./open-renderer.ts";
import { openArchiveOf } from "./own-archive.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** A stop takes no longer than this: jobs that are not finished by then are taken over when their leases end. */
const STOP_MS = 9500;

async function main(): Promise<void> {
  for (const line of unknownVariables(Object.keys(process.env), VARIABLE_NAMES)) console.warn(`swath: ${line}`);
  const environment = parseEnvironment(process.env);
  await checkAddresses(listenAddresses(environment));
  // a bad collection file stops the start
  openRegistry(environment);
  await checkDataDirectory(environment.dataDir);
  const archive = await openArchiveOf(environment);
  // the render threads need the hosts of the collections
  const registry = openRegistry(environment, archive?.collections);
  // render threads load their code while this one loads the rest, so the first image comes sooner
  const renderer = openRenderer(environment, registry, archive?.folder);
  const { createServer } = await import("./server.ts");
  const server = await createServer(environment, {
    renderer,
    print: (line) => console.log(line),
    ...(archive === undefined ? {} : { archive }),
  });
  let isStopping = false;
  const stop = (): void => {
    // a terminal sends its signal to all processes, and those that started this one pass it on: it comes more than once
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  if (error instanceof EnvironmentError) for (const fault of error.faults) console.error(`swath: ${fault}`);
  else console.error(error instanceof StoreError ? `swath: ${error.message}` : error);
  process.exit(1);
});
