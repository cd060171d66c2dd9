import { BlockCache, FileCache, readWindow, type Source } from "@swath/cog";
import { describe, expect, test } from "vitest";
import { openJp2 } from "../../src/index.ts";
import { fixture, markersOf } from "../files.ts";

const FILE = fixture("lrcp.jp2");
const TILES = [...markersOf(FILE)].filter(({ marker }) => marker === 0xff90).map(({ at }) => at);
/** Inside of one tile. */
const WINDOW = { x: 70, y: 70, width: 9, height: 9 };

/** A source whose answers of some reads, counted from 1 after the file is open, are damaged behind the header of the tile. */
class DamagingSource implements Source {
  readonly key = "file";
  readonly exposed: boolean;
  reads = 0;
  damaged: (read: number) => boolean = () => false;

  constructor(exposed = false) {
    this.exposed = exposed;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    this.reads++;
    const answer = FILE.slice(offset, offset + length);
    if (this.damaged(this.reads)) answer.fill(0xff, 64);
    return answer;
  }
}

async function opened(source: DamagingSource) {
  const jp2 = await openJp2(source, { prefetch: TILES[0]! + 4 });
  source.reads = 0;
  return jp2;
}

const clean = readWindow(await opened(new DamagingSource()), 0, WINDOW);

describe("a tile", () => {
  test("is read once more where it was damaged on its way", async () => {
    const source = new DamagingSource();
    const jp2 = await opened(source);
    source.damaged = (read) => read === 1;
    expect(await readWindow(jp2, 0, WINDOW)).toEqual(await clean);
    expect([source.reads, jp2.suspect]).toEqual([2, false]);
  });

  test("is corrupt where both answers were damaged, nothing of it is kept, and the file is opened again", async () => {
    const source = new DamagingSource();
    const files = new FileCache({ maxBytes: 1e7 });
    const open = () => files.share(source.key, () => opened(source));
    const cache = new BlockCache({ maxBytes: 1e7 });
    const jp2 = await open();
    source.damaged = () => true;
    await expect(readWindow(jp2, 0, WINDOW, { cache })).rejects.toMatchObject({ code: "corrupt" });
    expect([source.reads, cache.use.entries, jp2.suspect]).toEqual([2, 0, true]);
    source.damaged = () => false;
    const again = await open();
    expect(again).not.toBe(jp2);
    expect(await readWindow(again, 0, WINDOW, { cache })).toEqual(await clean);
    expect(await open()).toBe(again);
  });

  test("that came damaged with the header is read, and the header is not used again", async () => {
    const source = new DamagingSource();
    const bytes = FILE.slice();
    bytes.fill(0xff, TILES[0]! + 64, TILES[1]!);
    source.read = async (offset, length) => (offset === 0 ? bytes : FILE).slice(offset, offset + length);
    const jp2 = await openJp2(source);
    const first = { x: 0, y: 0, width: 9, height: 9 };
    const expected = await readWindow(await opened(new DamagingSource()), 0, first);
    expect(await readWindow(jp2, 0, first)).toEqual(expected);
    expect(jp2.suspect).toBe(true);
  });

  test("of an exposed source is read twice and compared, and where the answers differ a third time", async () => {
    const source = new DamagingSource(true);
    const jp2 = await opened(source);
    expect(await readWindow(jp2, 0, WINDOW)).toEqual(await clean);
    expect(source.reads).toBe(2);
    source.reads = 0;
    source.damaged = (read) => read === 2;
    expect(await readWindow(jp2, 0, WINDOW)).toEqual(await clean);
    expect(source.reads).toBe(3);
  });
});
