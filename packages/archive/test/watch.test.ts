import { expect, test } from "vitest";
import { reportLines } from "../src/watch.ts";

test.each([
  [1, "1 item, 0 new, 0 gone, 1 header read, 0.2 s"],
  [2, "2 items, 0 new, 0 gone, 2 headers read, 0.2 s"],
])("a scan of %d files is told as %s", (count, line) => {
  const nothing = { written: 0, removed: 0, refused: [], remarks: [], milliseconds: 230 };
  expect(reportLines({ ...nothing, items: count, opened: count })).toEqual([line]);
});
