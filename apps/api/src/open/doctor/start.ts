import { failingLandingPages } from "@swath/doctor";
import type { Logger } from "pino";
import type { OpenedFiles } from "../collection-files.ts";
import type { Environment } from "../environment/environment.ts";
import { addressedUpstreams, SETTINGS, secretsOf } from "./examined.ts";

/**
 * Logs a line for each upstream whose landing page is not answered, in the doctor's words. It never rejects.
 *
 * @param signal ends it: nothing is logged any more.
 */
export async function reportFailingUpstreams(
  environment: Environment,
  files: Pick<OpenedFiles, "registry" | "kinds">,
  { log, signal }: { readonly log: Pick<Logger, "warn">; readonly signal: AbortSignal },
): Promise<void> {
  const upstreams = addressedUpstreams(environment, files, () => [], Date.now);
  const options = { settings: SETTINGS, secrets: secretsOf(environment), signal };
  await failingLandingPages(upstreams, options, ({ upstream, line }) => log.warn({ upstream }, line));
}
