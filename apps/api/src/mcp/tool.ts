import type { Extents } from "@swath/catalog/node";
import type { ObservedGroups } from "@swath/engine/node";
import type { FinishedImages } from "@swath/engine/node/images";
import type { Tool } from "@swath/mcp";
import type { Authentication } from "../documents/authentication.ts";
import type { ProfileLinks } from "../documents/profile-links.ts";
import type { MemberNames } from "../errors/refusals.ts";
import type { GateParts, HealthParts, ImageParts, SearchParts } from "../operations/services.ts";

/** The services that tools use. */
export interface ToolServices
  extends SearchParts,
    ImageParts,
    Pick<GateParts, "spending">,
    Pick<HealthParts, "version"> {
  readonly images: FinishedImages;
  readonly extents: Extents;
  readonly observed: ObservedGroups;
  readonly links: ProfileLinks;
}

/** One call of a tool. */
export interface ToolCall {
  readonly services: ToolServices;
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

/** An operation of the service as a tool. Its answer has the document of the REST route of the same purpose. */
export interface ServiceTool<I = unknown> extends Tool<I, ToolCall> {
  /** Names of the members of the engine's request among the arguments; absent: faults name no member. */
  readonly members?: MemberNames;
}

/** A tool whose input is checked where it is called. All of them read, and nothing beyond what the service knows. */
export const defineTool = <I>(tool: ServiceTool<I>): ServiceTool =>
  ({ ...tool, annotations: { readOnlyHint: true, openWorldHint: false } }) as ServiceTool;
