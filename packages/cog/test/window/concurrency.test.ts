import { expect, test } from "vitest";
import { memorySource, openCog, readGrids, type Source } from "../../src/index.ts";
import { local, turns } from "../fixtures.ts";

const NAME = "deflate-uint16.tif";

test("the requested number of files is read at the same time, and their pixels are the same", async () => {
  const running = new Set<string>();
  let most = 0;
  const source = (key: string): Source => {
    const { read } = memorySource(local(NAME), key);
    return {
      key,
      async read(...place) {
        running.add(key);
        most = Math.max(most, running.size);
        await turns(1);
        running.delete(key);
        return read(...place);
      },
    };
  };
  // little is read with the header: blocks come by reads of their own
  const open = (key: string) => openCog(source(key), { prefetch: 512 });
  const cogs = await Promise.all(["a", "b", "c", "d", "e"].map(open));
  const { grid } = cogs[0]!;
  const reads = cogs.map((file) => ({ file }));
  const expected = await readGrids(reads, grid);
  expect(most).toBe(5);
  for (const concurrency of [1, 2, 9]) {
    most = 0;
    expect(await readGrids(reads, grid, { concurrency })).toEqual(expected);
    expect(most).toBe(Math.min(concurrency, 5));
  }
  expect(await readGrids([], grid, { concurrency: 1 })).toEqual([]);
});
