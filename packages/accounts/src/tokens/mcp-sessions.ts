import { createHash, randomBytes } from "node:crypto";
import type { Store } from "@swath/store";

/** Time for which a session lives after its last request, milliseconds. */
export const MCP_IDLE_MS = 30 * 60_000;
/** Sessions of one subject: with one more the least recently used ends. */
export const MCP_SESSIONS = 100;

/** The settings that `initialize` negotiated. */
export interface McpSession {
  /** Version of the protocol, such as `2025-11-25`. */
  readonly protocol: string;
}

/** Sessions of the Model Context Protocol, each of the one who started it. Any node finds them. */
export interface McpSessions {
  /**
   * Starts a session.
   *
   * @param subject of the caller's identity.
   * @returns its id: 256 random bits in characters of base64url.
   */
  start(subject: string, session: McpSession): Promise<string>;
  /** The session, which is idle from now on; undefined for one that is unknown, expired or another's. */
  find(id: string, subject: string): Promise<McpSession | undefined>;
  /** Ends a session. Whether there was one. */
  end(id: string, subject: string): Promise<boolean>;
  /** Deletes expired sessions. */
  removeExpired(): Promise<void>;
}

const SQL = {
  start: "insert into mcp_session(id, subject, protocol, created, used) values ($1, $2, $3, $4, $4)",
  // the limit is there because SQLite takes an offset with a limit alone
  bound: `delete from mcp_session where subject = $1 and id in (
    select id from mcp_session where subject = $1 order by used desc, created desc, id limit 1000000 offset $2)`,
  find: "update mcp_session set used = $3 where id = $1 and subject = $2 and used > $4 returning protocol",
  end: "delete from mcp_session where id = $1 and subject = $2 and used > $3 returning id",
  remove: "delete from mcp_session where used <= $1",
};

/** The store holds hashes of ids: who reads it cannot take a session over. */
const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Sessions in the store. */
export function storedMcpSessions(store: Store, { now = Date.now }: { readonly now?: () => number } = {}): McpSessions {
  return {
    async start(subject, { protocol }) {
      const id = randomBytes(32).toString("base64url");
      await store.query(SQL.start, [hashOf(id), subject, protocol, now()]);
      await store.query(SQL.bound, [subject, MCP_SESSIONS]);
      return id;
    },
    async find(id, subject) {
      const time = now();
      const [row] = await store.query(SQL.find, [hashOf(id), subject, time, time - MCP_IDLE_MS]);
      return row === undefined ? undefined : { protocol: String(row.protocol) };
    },
    async end(id, subject) {
      const rows = await store.query(SQL.end, [hashOf(id), subject, now() - MCP_IDLE_MS]);
      return rows.length > 0;
    },
    async removeExpired() {
      await store.query(SQL.remove, [now() - MCP_IDLE_MS]);
    },
  };
}
