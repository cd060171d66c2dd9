import promises from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

/** A public address, which is never asked: requests to names go to the loopback server. */
const SOMEWHERE = { address: "192.88.99.1", family: 4 } as const;

/**
 * Makes every host name resolve to a public address, since services ask the name system whether a host is a private one.
 *
 * @returns a function that undoes it.
 */
export function resolveAllNames(): () => void {
  const before = promises.lookup;
  const lookup = async (host: string, options?: { readonly all?: boolean }): Promise<unknown> => {
    if (isIP(host) !== 0 || host === "localhost") return before(host, options ?? {});
    return options?.all === true ? [SOMEWHERE] : SOMEWHERE;
  };
  const put = (value: unknown): void => {
    Object.assign(promises, { lookup: value });
    syncBuiltinESMExports();
  };
  put(lookup);
  return () => put(before);
}
