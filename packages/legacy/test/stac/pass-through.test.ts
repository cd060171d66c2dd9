import { REQUEST_DEADLINE_MS } from "@swath/web";
import { describe, expect, test } from "vitest";
import { PASS_THROUGH_LIMITS, relayed } from "../../src/stac/pass-through.ts";

test("waits no longer than 29 s where nothing else is set", () => {
  expect(REQUEST_DEADLINE_MS).toBeLessThan(29_000);
  expect(PASS_THROUGH_LIMITS.silenceMs).toBeLessThan(REQUEST_DEADLINE_MS);
});

describe("an answer on its way", () => {
  const endless = (pieces: number): { body: ReadableStream<Uint8Array>; controller: AbortController } => {
    const controller = new AbortController();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (sink) => controller.signal.addEventListener("abort", () => sink.error(controller.signal.reason)),
      pull: async (sink) => {
        if (sent >= pieces) await new Promise((_, reject) => controller.signal.addEventListener("abort", reject));
        sent += 1;
        sink.enqueue(new Uint8Array(1000).fill(32));
      },
    });
    return { body, controller };
  };

  test("is broken off when it grows beyond all bounds", { tags: ["Y29"] }, async () => {
    const { body, controller } = endless(Number.POSITIVE_INFINITY);
    const answer = relayed(body, controller, { maxBytes: 10_000, silenceMs: 1000 });
    await expect(new Response(answer).arrayBuffer()).rejects.toThrow("more than 10000 bytes");
    expect(controller.signal.aborted).toBe(true);
  });

  test("is aborted when the upstream stops sending in the middle of it", { tags: ["Y29"] }, async () => {
    const { body, controller } = endless(3);
    const answer = relayed(body, controller, {
      maxBytes: 1e6,
      silenceMs: 50,
    });
    await expect(new Response(answer).arrayBuffer()).rejects.toThrow("sent nothing for 50 ms");
  });

  test("is released when the client disconnects", { tags: ["Y29"] }, async () => {
    const { body, controller } = endless(Number.POSITIVE_INFINITY);
    const reader = relayed(body, controller, { maxBytes: 1e9, silenceMs: 1000 }).getReader();
    await reader.read();
    await reader.cancel();
    expect(controller.signal.aborted).toBe(true);
  });
});
