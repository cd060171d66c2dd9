import { readFileSync } from "node:fs";
import { createServer } from "node:net";

/** A port that nothing listens on: below 1024 the system gives none to anybody, and it is none of those that `fetch` refuses. */
export const CLOSED_PORT = 2;

/** Ports to choose from. */
const COUNT = 10_000;
const TRIES = 100;

/** The first port that the system gives by itself, to connections and to who listens on port 0. */
function firstGiven(): number {
  try {
    const first = Number.parseInt(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8"), 10);
    return first > 2 * COUNT ? first : 65_536;
  } catch {
    // RFC 6335, section 6
    return 49_152;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/**
 * A port of 127.0.0.1 that nothing listens on, and that the system gives to nobody by itself: until it is listened on, no other
 * program gets it but by its number.
 */
export async function freePort(): Promise<number> {
  const end = firstGiven();
  for (let left = TRIES; left > 0; left--) {
    const port = end - 1 - Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports below ${end} was free.`);
}
