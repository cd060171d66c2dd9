import { createServer, type Server } from "node:net";

/** An address to listen at, and the names of the settings that set it. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
}

/** Nothing can listen at an address; the message is one line that names its settings and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Advises on an address at which nothing can listen; undefined for codes without a known cause. */
function remedyOf(code: string, { hostVariable, portVariable }: ListenAddress): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `something listens there already. Stop it, or set ${portVariable} to another port`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `${hostVariable} is no address of this machine. Expected one that it has, such as 127.0.0.1, or 0.0.0.0 for all of them`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `nobody knows the name in ${hostVariable}. Expected an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them`;
    case "EACCES":
      return `this account may not listen there. Set ${portVariable} to a port from 1024 on`;
    case "EAFNOSUPPORT":
      return `this machine has no addresses of that family. Expected an address that it has in ${hostVariable}, such as 127.0.0.1`;
    default:
      return undefined;
  }
}

/** The error of a listener as one line that names both variables and what to do. */
function listenError(error: unknown, address: ListenAddress): ListenError {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const { host, port, hostVariable, portVariable } = address;
  const remedy = remedyOf(code, address) ?? "nothing can listen there";
  return new ListenError(`${hostVariable}="${host}", ${portVariable}="${port}": ${remedy} (${code})`, {
    cause: error,
  });
}

/**
 * Listens at an address.
 *
 * @throws {ListenError}
 */
export function listenAt(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(listenError(error, address));
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/**
 * Listens at all addresses at once for a moment, so that one that cannot be used stops a start before anything is made.
 *
 * @throws {ListenError}
 */
export async function checkAddresses(addresses: readonly ListenAddress[]): Promise<void> {
  const open: Server[] = [];
  try {
    for (const address of addresses) {
      const server = createServer();
      await listenAt(server, address);
      open.push(server);
    }
  } finally {
    await Promise.all(open.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
