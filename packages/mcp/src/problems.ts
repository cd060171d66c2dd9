import { type ProblemKind, problemErrors } from "@swath/problem";

/**
 * The problems of messages and sessions. A service puts them into its own table, with words of its own where it likes; code, status and
 * title stay. `origin-not-allowed` of `@swath/web` is the third that this package finds.
 */
export const MCP_PROBLEMS = {
  "invalid-mcp-message": {
    status: 400,
    title: "Invalid MCP message",
    description: "The message is not JSON-RPC 2.0, or the session header is missing.",
    remedy: "Start with `initialize`, and send the returned `Mcp-Session-Id` with every later message.",
  },
  "mcp-session-expired": {
    status: 404,
    title: "MCP session expired",
    description: "The MCP session is unknown, has ended, or was idle for too long.",
    remedy: "Start a new session with `initialize`.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A fault of a message or a session: a `ProblemError` of `@swath/problem` with a code of {@link MCP_PROBLEMS}. */
export class McpProblem extends problemErrors(MCP_PROBLEMS) {}
