import type { ContentBlock } from "@modelcontextprotocol/server";
import type { FinishedImages, ObservedGroups } from "@swath/engine/node";
import type { z } from "zod";
import type { Authentication } from "../documents/authentication.ts";
import type { ProfileLinks } from "../documents/profile-links.ts";
import type { MemberNames } from "../errors/refusals.ts";
import type { Extents } from "../operations/extents.ts";
import type { Services } from "../operations/services.ts";

/** The services that tools use. */
export interface ToolServices
  extends Pick<
    Services,
    | "catalog"
    | "registry"
    | "pageTokens"
    | "renderer"
    | "angles"
    | "now"
    | "tileScenes"
    | "sceneDocuments"
    | "spending"
    | "version"
  > {
  readonly images: FinishedImages;
  readonly extents: Extents;
  readonly observed: ObservedGroups;
  readonly links: ProfileLinks;
}

/** One call of a tool. */
export interface ToolCall {
  /** Base of absolute links. */
  readonly baseUrl: string;
  /** The authentication of callers, for STAC documents. */
  readonly authentication: Authentication;
  readonly signal: AbortSignal;
  /** Called at most once, with the units that the call costs, before any pixel is read. Not called: it costs nothing. */
  readonly admit: (units: number) => Promise<void>;
  /** Whether `admit` will take these units, as far as is known. */
  readonly isLikely: (units: number) => boolean;
  /** The call turned out to cost fewer units than were admitted. */
  readonly lower: (units: number) => void;
  /** Tells once whether what the call costs was charged; false where it has failed or its client has left. */
  readonly whenEnded: (listener: (stands: boolean) => void) => void;
}

/** The answer of a call. */
export interface ToolAnswer {
  /** The document of the REST route of the same purpose. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** The same in short for a model that reads text. */
  readonly text: string;
  /** Images and links. */
  readonly content?: readonly ContentBlock[];
}

/** A tool of the Model Context Protocol: an operation of the service, described for a model. */
export interface Tool<I = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * Descriptions of arguments for a model, with their units, in place of those in the routes' schemas: by their path,
   * which begins with the name of the definition that they are in, if any.
   */
  readonly notes: Readonly<Record<string, string>>;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType;
  /** Names of the members of the engine's request among the arguments; absent: faults name no member. */
  readonly members?: MemberNames;
  /** @throws what the operation throws: it becomes a result that says what is wrong. */
  call(services: ToolServices, input: I, call: ToolCall): Promise<ToolAnswer>;
}

/** A tool whose input is checked where it is called. */
export const defineTool = <I>(tool: Tool<I>): Tool => tool as Tool;
