import type { ProblemAnswers, Suggest, WebEnv } from "@swath/web";
import type { Context } from "hono";
import type { z } from "zod";
import type { Sessions } from "./sessions.ts";
import type { JsonSchema } from "./tools/json-schema.ts";
import type { Tool, ToolAnswer, ToolDescription } from "./tools/tool.ts";

/** A document that clients can read, and show to a model. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Returns the document's text. */
  read(): string | Promise<string>;
}

/** One call of a tool. */
export interface ToolRequest<E extends WebEnv = WebEnv> {
  readonly c: Context<E>;
  /** Aborted when the client cancels the call or leaves, and when the request's time is over. */
  readonly signal: AbortSignal;
  /**
   * Returns the arguments as a schema reads them.
   *
   * @throws {RequestProblem} `invalid-body`, with a pointer for each fault.
   */
  readonly read: <I>(schema: z.ZodType<I>) => I;
}

/** The tools and documents that a service offers to models. `T` is its own form of tools, `E` the environment of its Hono app. */
export interface McpService<T extends ToolDescription = Tool, E extends WebEnv = WebEnv> {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** The text that a model reads before it takes a tool. */
  readonly instructions: string;
  /** In the order in which they are listed. */
  readonly tools: readonly T[];
  /** Calls a tool. What it throws is a result that says what is wrong. */
  readonly call: (tool: T, request: ToolRequest<E>) => Promise<ToolAnswer> | ToolAnswer;
  /** Makes the problem documents of calls that fail. */
  readonly problems: Pick<ProblemAnswers<E>, "document">;
  readonly sessions: Sessions;
  /** Returns who asks; sessions are of one caller. By default all callers are one, and an id is all that protects a session. */
  readonly subject?: (c: Context<E>) => string;
  /**
   * Returns the documents that clients can read, the same for all callers; by default there are none.
   *
   * @param baseUrl of absolute addresses, without a trailing slash.
   */
  readonly resources?: (baseUrl: string) => readonly Resource[];
  /** Components of the service's OpenAPI document that schemas refer to, in place of those that are made of models. */
  readonly components?: Readonly<Record<string, JsonSchema>>;
  /** `_meta` of calls that failed; by default there is none. */
  readonly failureMeta?: Readonly<Record<string, unknown>>;
  /** Ends the message about an unknown argument; by default with nothing. */
  readonly suggest?: Suggest;
}
