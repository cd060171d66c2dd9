import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The settings that `initialize` negotiated. */
export interface Session {
  /** Version of the protocol, such as `2025-11-25`. */
  readonly protocol: string;
}

/** Where sessions are kept. Nodes of one service need one store, since a client's messages may reach any of them. */
export interface Sessions {
  /**
   * Starts a session.
   *
   * @param subject the caller; only the same may use and end the session.
   * @returns its id: secret, of visible ASCII characters.
   */
  start(subject: string, session: Session): Promise<string>;
  /** Returns the session, which is idle from now on; `undefined` for one that is unknown, expired or another's. */
  find(id: string, subject: string): Promise<Session | undefined>;
  /** Ends a session, and returns whether there was one. */
  end(id: string, subject: string): Promise<boolean>;
}

/** Bounds of sessions that are kept in memory. */
export interface MemorySessionOptions {
  /** Time for which a session lives after its last request, milliseconds; default 30 minutes. */
  readonly idleMs?: number;
  /** Sessions of all callers; with one more the least recently used ends. Default 10,000. */
  readonly max?: number;
}

/** Keeps sessions in memory, for a service of one process: they end with it. Ids are 256 random bits in base64url. */
export function memorySessions({ idleMs = 30 * 60_000, max = 10_000 }: MemorySessionOptions = {}): Sessions {
  const kept = new LRUCache<string, Session & { readonly subject: string }>({
    maxSize: max,
    sizeCalculation: () => 1,
    ttl: idleMs,
    ttlResolution: 0,
  });
  const isOf = (id: string, subject: string): boolean => kept.peek(id)?.subject === subject;
  return {
    async start(subject, { protocol }) {
      const id = randomBytes(32).toString("base64url");
      kept.set(id, { subject, protocol });
      return id;
    },
    async find(id, subject) {
      return isOf(id, subject) ? kept.get(id, { updateAgeOnGet: true }) : undefined;
    },
    async end(id, subject) {
      return isOf(id, subject) && kept.delete(id);
    },
  };
}
