import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readBounded } from "../../src/request/body.ts";

const MEBIBYTE = 1_048_576;
const gzip = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text));
const QUERY = '{"limit":2}';

test("a gzip body that never inflates to anything is bounded by what is sent", { tags: ["H19"] }, async () => {
  const nothing = new Uint8Array(gzipSync(""));
  const members = new Uint8Array(nothing.byteLength * 1000);
  for (let i = 0; i < 1000; i++) members.set(nothing, i * nothing.byteLength);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += members.byteLength;
      if (sent > 16 * MEBIBYTE) controller.close();
      else controller.enqueue(members);
    },
  });
  const headers = { "Content-Encoding": "gzip" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const reading = readBounded(new Request("http://service.test/", init), MEBIBYTE);
  await expect(reading).rejects.toMatchObject({ code: "body-too-large", limits: { maxBytes: MEBIBYTE } });
  expect(sent).toBeLessThan(2 * MEBIBYTE);
});

test("a connection that breaks off within a gzip body is no bad gzip", async () => {
  const sent = gzip(QUERY);
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(sent.slice(0, 12));
      else controller.error(new Error("connection reset"));
    },
  });
  const request = new Request("http://service.test/", {
    method: "POST",
    headers: { "Content-Encoding": "gzip" },
    body,
    duplex: "half",
  } as RequestInit);
  await expect(readBounded(request, MEBIBYTE)).rejects.toMatchObject({ message: "connection reset" });
});
