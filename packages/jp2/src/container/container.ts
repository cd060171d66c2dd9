import { CogError } from "@swath/cog";
import type { HeaderBytes } from "@swath/cog/bytes";
import { viewOf } from "../codestream/markers.ts";
import { type Box, boxesIn, readBoxes } from "./boxes.ts";
import { georeferenceOfGeoTiff } from "./geo-jp2.ts";
import { type Georeference, isPlaced } from "./georeference.ts";
import { georeferenceOfGml } from "./gml-jp2.ts";

/** The parts of a file around its codestream. */
export interface Container {
  /** Byte offset of the codestream. */
  readonly codestreamAt: number;
  /** Byte offset where it ends; infinite where the file does not say so. */
  readonly codestreamEnd: number;
  readonly georeference: Georeference;
  /** The meaning of its components; `undefined` where the file does not state it. */
  readonly colors: "rgb" | "gray" | undefined;
}

/** `\0\0\0\fjP  \r\n\x87\n`: the first box of every JP2 file (ITU-T T.800 I.5.1). */
const SIGNATURE = [0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a];
/** The UUID of a GeoJP2 box: a GeoTIFF of one pixel. */
const GEO_JP2 = [0xb1, 0x4b, 0xf8, 0xbd, 0x08, 0x3d, 0x4b, 0x43, 0xa5, 0xae, 0x8c, 0xd7, 0xd5, 0xa6, 0xce, 0x03];
/** Boxes of more bytes are passed over: descriptions of an image are small. */
const MAX_BOX_BYTES = 1 << 20;
/** Enumerated colour spaces (ITU-T T.800 table I.10). */
const SRGB = 16;
const GRAY = 17;
const SYCC = 18;

/**
 * Reads what is around a codestream: the boxes of a JP2 file, or nothing.
 *
 * @throws {CogError} `not-a-jp2`, `corrupt`, `unsupported`, or what the source throws
 */
export async function readContainer(bytes: HeaderBytes, key: string): Promise<Container> {
  const head = await bytes.read(0, SIGNATURE.length);
  if (head.length >= 4 && head[0] === 0xff && head[1] === 0x4f && head[2] === 0xff && head[3] === 0x51) {
    const georeference = { problem: "A codestream alone has no georeference." };
    return { codestreamAt: 0, codestreamEnd: Number.POSITIVE_INFINITY, georeference, colors: undefined };
  }
  if (!SIGNATURE.every((byte, i) => head[i] === byte)) {
    throw new CogError("not-a-jp2", `${key}: expected a JP2 file or a JPEG 2000 codestream.`);
  }
  const found = new Description(key);
  let codestream: Box | undefined;
  for await (const box of readBoxes(bytes, 0, key)) {
    if (box.type === "jp2c") {
      codestream = box;
      break;
    }
    await found.add(box, bytes);
  }
  if (codestream === undefined) throw new CogError("corrupt", `${key}: a JP2 file without a codestream.`);
  const end = codestream.offset + codestream.length;
  if (!isPlaced(found.georeference) && Number.isFinite(end)) {
    // some writers put the georeference after the samples
    for await (const box of readBoxes(bytes, end, key)) {
      if (box.type === "jp2c") break;
      await found.add(box, bytes);
    }
  }
  const { georeference, colors } = found;
  return { codestreamAt: codestream.offset, codestreamEnd: end, georeference, colors };
}

/** The description of an image that boxes give. */
class Description {
  readonly #key: string;
  #geoTiff: Georeference = {};
  #gml: Georeference = {};
  colors: Container["colors"];

  constructor(key: string) {
    this.#key = key;
  }

  /** A GeoTIFF goes before GML, as in GDAL. */
  get georeference(): Georeference {
    const first = [this.#geoTiff, this.#gml].find(isPlaced);
    const said = [this.#geoTiff, this.#gml].find(({ problem }) => problem !== undefined);
    return first ?? said ?? { problem: "It has neither a GeoJP2 nor a GMLJP2 box." };
  }

  async add({ type, offset, length }: Box, bytes: HeaderBytes): Promise<void> {
    if ((type !== "jp2h" && type !== "uuid" && type !== "asoc") || length > MAX_BOX_BYTES) return;
    const contents = await bytes.readExactly(offset, length);
    if (type === "jp2h") this.#addHeader(contents);
    else if (type === "asoc") await this.#addGml(contents);
    else if (GEO_JP2.every((byte, i) => contents[i] === byte)) {
      this.#geoTiff = await georeferenceOfGeoTiff(contents.subarray(GEO_JP2.length));
    }
  }

  #addHeader(contents: Uint8Array): void {
    for (const { type, bytes } of boxesIn(contents)) {
      if (type !== "colr" || bytes.length < 7 || bytes[0] !== 1) continue;
      const space = viewOf(bytes).getUint32(3);
      if (space === SYCC) throw new CogError("unsupported", `${this.#key}: JPEG 2000 in sYCC is not read.`);
      this.colors = space === SRGB ? "rgb" : space === GRAY ? "gray" : undefined;
    }
  }

  async #addGml(contents: Uint8Array): Promise<void> {
    for (const { type, bytes } of boxesIn(contents)) {
      if (type !== "xml " || isPlaced(this.#gml)) continue;
      this.#gml = await georeferenceOfGml(new TextDecoder().decode(bytes));
    }
  }
}
