import type { Source } from "@swath/cog";
import { Documents } from "./documents.ts";
import { type GranuleAngles, GranuleMetadataError, readGranuleMetadata, sizeOfAngles } from "./granule-metadata.ts";

/** Reads the angles in granule metadata documents, each once. */
export interface AngleReader {
  /**
   * The angles in the document at an address; `undefined` where it has none.
   *
   * @param sceneId whose document it is, for messages.
   * @throws {Refusal} `upstream-unavailable` where the document cannot be read.
   */
  read(href: string, sceneId: string, signal: AbortSignal): Promise<GranuleAngles | undefined>;
}

/** Largest document that is read; real ones have up to 1 MB. */
export const MAX_METADATA_BYTES = 8 * 1_048_576;
/** Bytes of angles kept: those of about 500 granules. */
const CACHE_BYTES = 32 * 1_048_576;

/** @param sourceFor says from where an address may be read, and how. */
export function createAngleReader(sourceFor: (href: string) => Source): AngleReader {
  const documents = new Documents({
    sourceFor,
    maxBytes: MAX_METADATA_BYTES,
    parse: parseAngles,
    max: CACHE_BYTES,
    sizeOf: (angles) => (angles === undefined ? 64 : sizeOfAngles(angles)),
  });
  return { read: (href, id, signal) => documents.read(href, `The angles of scene ${id} could not be read`, signal) };
}

function parseAngles(bytes: Uint8Array): GranuleAngles | undefined {
  try {
    return readGranuleMetadata(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof GranuleMetadataError && error.code === "no-angles") return undefined;
    throw error;
  }
}
