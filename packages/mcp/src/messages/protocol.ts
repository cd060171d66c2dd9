/** JSON-RPC's code of an error of the server's own kind. */
export const SERVER_ERROR = -32_000;
/** Versions of the protocol that have sessions, newest first. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];
/** The version without sessions: each request says all that it needs. */
export const STATELESS_VERSION = "2026-07-28";
/** The header with the id of a session. */
export const SESSION_HEADER = "Mcp-Session-Id";
/** The media type of a stream of events. */
export const EVENTS = "text/event-stream";
/** Cache rules of every answer. */
export const NO_STORE = { "Cache-Control": "no-store" } as const;
