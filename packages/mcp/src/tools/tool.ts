import type { ContentBlock, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";

/** The description of a tool that a model reads. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * Descriptions of arguments for a model, in place of those in `input`: by their path (`bbox`, `sortby.field`), which begins with the
   * name of the definition that they are in, if any.
   */
  readonly notes?: Readonly<Record<string, string>>;
  /** Hints for clients, such as `readOnlyHint`: by default the protocol takes a tool for one that may destroy. */
  readonly annotations?: Omit<ToolAnnotations, "title">;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The answer of a call. */
export interface ToolAnswer {
  /** The answer as a program reads it: what the tool's `output` describes. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** The same in short for a model that reads text. */
  readonly text: string;
  /** Images and links. Clients of 2025-03-26 get links as text. */
  readonly content?: readonly ContentBlock[];
  /** Members of the result's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A tool of the Model Context Protocol: an operation of a service, described for a model. `C` is what the service gives with each call. */
export interface Tool<I = unknown, C = unknown> extends ToolDescription {
  readonly input: z.ZodType<I>;
  /** @throws what the operation throws: it becomes a result that says what is wrong. */
  call(input: I, call: C): Promise<ToolAnswer> | ToolAnswer;
}

/** Returns a tool as one of a list: its input is checked where it is called. */
export const defineTool = <I, C = unknown>(tool: Tool<I, C>): Tool<unknown, C> => tool as Tool<unknown, C>;
