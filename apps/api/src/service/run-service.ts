import { startTracing, TracingError } from "@swath/otlp";
import { StoreError } from "@swath/store";
import { checkAddresses, ListenError } from "@swath/web/server";
import packageFacts from "../../package.json" with { type: "json" };
import { openRegistry } from "../open/collection-files.ts";
import { checkDataDirectory, checkResultFolder } from "../open/data-directory.ts";
import { EnvironmentError, parseEnvironment } from "../open/environment/environment.ts";
import { unknownVariables } from "../open/environment/unknown-variables.ts";
import { VARIABLE_NAMES } from "../open/environment/variables.ts";
import { listenAddresses } from "../open/listen-address.ts";
import { openRenderer } from "../open/open-renderer.ts";
import { openArchiveOf } from "../open/own-archive.ts";
import { openOutput } from "./log.ts";
import type { RunningServer } from "./server.ts";

/** A stop takes no longer than this: jobs that are not finished by then are taken over when their leases end. */
const STOP_MS = 9500;

async function start(variables: Readonly<Record<string, string | undefined>>): Promise<RunningServer> {
  for (const line of unknownVariables(Object.keys(variables), VARIABLE_NAMES)) console.warn(`swath: ${line}`);
  const environment = parseEnvironment(variables);
  await checkAddresses(Object.values(listenAddresses(environment)));
  // a bad collection file stops the start
  openRegistry(environment);
  await checkDataDirectory(environment.dataDir);
  await checkResultFolder(environment);
  const archive = await openArchiveOf(environment);
  // the render threads need the hosts of the collections
  const registry = openRegistry(environment, archive?.collections);
  const tracing = await startTracing(variables, {
    name: `swath-${environment.role}`,
    version: packageFacts.version,
    onFault: (message) => console.warn(`swath: traces could not be sent: ${message}`),
  });
  // render threads load their code while this one loads the rest, so the first image comes sooner
  const renderer = openRenderer(environment, registry, archive?.folder);
  try {
    const { createServer } = await import("./server.ts");
    return await createServer(environment, {
      renderer,
      ...(await openOutput(environment)),
      ...(archive === undefined ? {} : { archive }),
      ...(tracing === undefined ? {} : { tracing }),
    });
  } catch (error) {
    // a process that exits while its threads load their code may be aborted before it has said why
    await renderer.close();
    throw error;
  }
}

/** Closes the server and ends the process at the first signal that asks for it. */
function stopAtSignals(server: RunningServer): void {
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

/**
 * Runs the service as this process: resolves when it listens, says on the terminal where, and ends the process at SIGTERM
 * or SIGINT. What stops the start is printed, one line for each fault, and ends the process with exit code 1.
 *
 * @param variables environment variables of the service, as docs/operations.md lists them.
 */
export async function runService(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    stopAtSignals(await start(variables));
  } catch (error) {
    if (error instanceof EnvironmentError) for (const fault of error.faults) console.error(`swath: ${fault}`);
    else {
      const isKnown = [StoreError, ListenError, TracingError].some((kind) => error instanceof kind);
      console.error(isKnown && error instanceof Error ? `swath: ${error.message}` : error);
    }
    process.exit(1);
  }
}
