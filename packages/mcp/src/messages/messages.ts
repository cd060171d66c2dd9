import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCRequest,
} from "@modelcontextprotocol/server";
import { McpProblem } from "../problems.ts";
import { SESSION_VERSIONS, STATELESS_VERSION } from "./protocol.ts";

function invalid(detail: string): McpProblem {
  return new McpProblem("invalid-mcp-message", detail, { errors: [{ pointer: "", detail }] });
}

/**
 * The request of a message; `undefined` for a notification and for a response, which need no answer.
 *
 * @throws {McpProblem} `invalid-mcp-message` for a batch, and for what is no JSON-RPC 2.0.
 */
export function readRequest(message: unknown): JSONRPCRequest | undefined {
  if (Array.isArray(message)) throw invalid("Expected one JSON-RPC message, got a batch: send them one by one.");
  if (isJSONRPCRequest(message)) return message;
  if (isJSONRPCNotification(message) || isJSONRPCResponse(message)) return undefined;
  throw invalid(
    'Expected a JSON-RPC 2.0 message: an object with jsonrpc "2.0", an id (text or integer), a method, params that are an object where there are some, and nothing else.',
  );
}

/** Whether a request says itself which version it is of, as those without sessions do. */
export function hasVersion(message: unknown): boolean {
  if (!isJSONRPCRequest(message)) return false;
  return message.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
}

/** A call of a tool in a form that the SDK reads, and what the tool is given. */
export interface ReadableCall<M> {
  readonly message: M;
  /** Absent: the arguments of the message. */
  readonly input?: { readonly value: unknown };
}

/** Arguments that are no object are the tool's to refuse, as all wrong ones are: the SDK would refuse the message. */
export function readableCall<M>(message: M): ReadableCall<M> {
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return { message };
  const { params } = message;
  const value = params?.arguments;
  const isReadable = value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
  return isReadable ? { message } : { message: { ...message, params: { ...params, arguments: {} } }, input: { value } };
}

/** The id of the request that a notification cancels; `undefined` for any other message. */
export function cancelledRequest(message: unknown): string | number | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/**
 * Checks the version that a client says it speaks; one that says nothing speaks the first with this transport.
 *
 * @param header value of `MCP-Protocol-Version`.
 * @throws {McpProblem} `invalid-mcp-message` for a version that is not served.
 */
export function checkVersion(header: string | undefined): void {
  if (header === undefined || SESSION_VERSIONS.includes(header)) return;
  throw invalid(
    `Expected MCP-Protocol-Version ${[STATELESS_VERSION, ...SESSION_VERSIONS].join(", ")}, got ${JSON.stringify(header.slice(0, 64))}.`,
  );
}

/** @throws {McpProblem} `invalid-mcp-message` where the header is missing. */
export function requireSessionId(header: string | undefined): string {
  if (header !== undefined && header !== "") return header;
  throw invalid("Expected the header Mcp-Session-Id that the answer to initialize has.");
}
