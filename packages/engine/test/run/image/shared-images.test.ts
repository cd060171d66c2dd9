import { afterEach, describe, expect, test, vi } from "vitest";
import { ImageCache } from "../../../src/run/image/image-cache.ts";
import {
  type SharedImageOptions,
  SharedImages,
  type SharedObjects,
  type SharedOutcome,
} from "../../../src/run/image/shared-images.ts";
import type { ImageJob, RenderedImage } from "../../../src/run/job.ts";

const image = (fill: number, facts: Partial<RenderedImage> = {}): RenderedImage => ({
  bytes: new Uint8Array(1000).fill(fill),
  format: "png",
  used: ["a scene", "Ω\n"],
  skipped: [],
  truncated: false,
  ...facts,
});
const never = <T>(): Promise<T> => new Promise<T>(() => {});
const signal = new AbortController().signal;
const JOB = { kind: "tile" } as ImageJob;
afterEach(() => {
  vi.useRealTimers();
});

/** Objects in memory, as a bucket has them. */
function memory() {
  const kept = new Map<string, Uint8Array>();
  let [reads, writes] = [0, 0];
  const objects: SharedObjects = {
    async read(name) {
      reads += 1;
      return kept.get(name);
    },
    async write(name, bytes) {
      writes += 1;
      kept.set(name, bytes);
    },
  };
  return { kept, objects, reads: () => reads, writes: () => writes };
}

/** Shared images of one node, and what came of its look-ups and writes. */
function node(objects: SharedObjects, options: Partial<SharedImageOptions> = {}) {
  const outcomes: SharedOutcome[] = [];
  const secret = Buffer.from("of the installation");
  const images = new SharedImages({ objects, secret, onOutcome: (outcome) => outcomes.push(outcome), ...options });
  return { images, outcomes };
}

describe("shared images", () => {
  test("are found on another node as they were rendered, with their facts", async () => {
    const { objects } = memory();
    const first = node(objects);
    const rendered = image(7, { format: "jpg", pixels: 12, validFraction: 0.25, truncated: true });
    first.images.keep("key", rendered);
    await first.images.close();
    const second = node(objects);
    expect(await second.images.find("key")).toEqual(rendered);
    expect(await second.images.find("another key")).toBeUndefined();
    expect([first.outcomes, second.outcomes]).toEqual([["stored"], ["hit", "miss"]]);
  });

  test("are none where a scene was skipped", async () => {
    const { objects, writes } = memory();
    const { images } = node(objects);
    images.keep("key", image(1, { skipped: ["a"] }));
    await images.close();
    expect(writes()).toBe(0);
  });

  test("are not taken when a byte differs, the end is missing, the name is another's or the secret is", async () => {
    const { objects, kept } = memory();
    const writer = node(objects);
    for (const key of ["a", "b"]) writer.images.keep(key, image(1));
    await writer.images.close();
    const [[name, whole] = ["", new Uint8Array()], [other] = [""]] = [...kept];
    const damaged = [
      ...[0, 8, 40, 500, whole.length - 40, whole.length - 1].map((at) =>
        whole.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      ),
      ...[0, 10, 100, whole.length - 1].map((end) => whole.slice(0, end)),
    ];
    for (const bytes of damaged) {
      kept.set(name, bytes);
      const { images, outcomes } = node(objects);
      expect([await images.find("a"), outcomes]).toEqual([undefined, ["damaged"]]);
    }
    kept.set(other, whole);
    expect(await node(objects).images.find("b")).toBeUndefined();
    kept.set(name, whole);
    expect(await node(objects, { secret: Buffer.from("of somebody else") }).images.find("a")).toBeUndefined();
    expect(await node(objects).images.find("a")).toEqual(image(1));
  });

  test("are taken until they are too old", async () => {
    const { objects } = memory();
    let now = 1_000_000;
    const { images } = node(objects, { now: () => now, maxAgeMs: 5000 });
    images.keep("key", image(1));
    await images.close();
    now += 4999;
    const clock = { now: () => now, maxAgeMs: 5000 };
    expect(await node(objects, clock).images.find("key")).toBeDefined();
    now += 1;
    expect(await node(objects, clock).images.find("key")).toBeUndefined();
  });

  test("that come too late are not waited for, and after three the place is asked once each half minute", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    let reads = 0;
    const { images, outcomes } = node(
      {
        read: () => {
          reads += 1;
          return never();
        },
        write: never,
      },
      { lookUpMs: 20 },
    );
    const asked = async (times: number): Promise<SharedOutcome[]> => {
      for (let i = 0; i < times; i++) expect(await images.find("key")).toBeUndefined();
      return outcomes.splice(0);
    };
    expect(await asked(5)).toEqual(["late", "late", "late", "resting", "resting"]);
    vi.advanceTimersByTime(29_999);
    expect(await asked(1)).toEqual(["resting"]);
    vi.advanceTimersByTime(1);
    expect(await asked(2)).toEqual(["late", "resting"]);
    expect(reads).toBe(4);
  });

  test("of a place that fails are misses, and writes to it are dropped", async () => {
    const fail = async (): Promise<never> => {
      throw new Error("The bucket answered 503.");
    };
    const { images, outcomes } = node({ read: fail, write: fail });
    expect(await images.find("key")).toBeUndefined();
    images.keep("key", image(1));
    await images.close();
    expect(outcomes).toEqual(["fault", "dropped"]);
  });

  test("are written four at a time, and 64 wait at most; the others are not shared", async () => {
    let running = 0;
    const { images, outcomes } = node({
      read: async () => undefined,
      write: () => {
        running += 1;
        return never();
      },
    });
    for (let i = 0; i < 100; i++) images.keep(`${i}`, image(1));
    expect(running).toBe(4);
    expect(outcomes.filter((outcome) => outcome === "dropped")).toHaveLength(100 - 4 - 64);
    // the end of the service waits no longer than it says
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isClosed = false;
    void images.close(50).then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
  });

  test("are looked up 32 at a time", async () => {
    let reads = 0;
    const { images, outcomes } = node({
      read: async () => {
        reads += 1;
        return never();
      },
      write: never,
    });
    await Promise.all(Array.from({ length: 40 }, (_, i) => images.find(`${i}`)));
    expect([reads, outcomes.filter((outcome) => outcome === "resting").length]).toEqual([32, 8]);
  });

  test("have answers by address, which end after an hour", async () => {
    const { objects } = memory();
    let now = 0;
    const answer = { etag: '"r3-1"', cacheControl: "public, max-age=60", attribution: "©", key: "key" };
    const clock = { now: () => now };
    const { images } = node(objects, clock);
    images.keepAnswer("/v1/tiles/a", answer);
    await images.close();
    expect(await node(objects, clock).images.findAnswer("/v1/tiles/a")).toEqual(answer);
    expect(await node(objects, clock).images.findAnswer("/v1/tiles/b")).toBeUndefined();
    now = 3_600_000;
    expect(await node(objects, clock).images.findAnswer("/v1/tiles/a")).toBeUndefined();
  });
});

describe("a cache with shared images", () => {
  const cacheOf = (objects: SharedObjects) => {
    let renders = 0;
    const shared = node(objects).images;
    const render = async (): Promise<RenderedImage> => {
      renders += 1;
      return image(renders);
    };
    return { cache: new ImageCache({ render }, 1 << 20, () => {}, shared), shared, renders: () => renders };
  };

  test("shares an image once its charge stands, and gives it to another node without a turn", async () => {
    const { objects, writes, reads } = memory();
    const [first, second] = [cacheOf(objects), cacheOf(objects)];
    for (const stands of [false, true]) {
      const turn = await first.cache.turn("key", { signal });
      if (turn.kind !== "own") throw new Error("Expected a turn.");
      await turn.render(JOB, { signal });
      expect(writes()).toBe(0);
      turn.end(stands);
    }
    await first.shared.close();
    expect(writes()).toBe(1);
    const turns = await Promise.all([1, 2, 3].map(() => second.cache.turn("key", { signal })));
    expect(turns).toEqual([1, 2, 3].map(() => ({ kind: "finished", image: image(2) })));
    // one look-up for all who ask at once, none for what is in memory
    const before = reads();
    expect((await second.cache.turn("key", { signal })).kind).toBe("finished");
    expect([reads() - before, second.renders()]).toEqual([0, 0]);
  });

  test("gives the turn to the next one where the first has left during the look-up", async () => {
    let answer: (bytes: undefined) => void = () => {};
    const read = () =>
      new Promise<undefined>((resolve) => {
        answer = resolve;
      });
    const { cache } = cacheOf({ read, write: never });
    const leaving = new AbortController();
    const left = cache.turn("key", { signal: leaving.signal });
    const next = cache.turn("key", { signal });
    leaving.abort(new Error("gone"));
    answer(undefined);
    await expect(left).rejects.toThrow("gone");
    expect((await next).kind).toBe("own");
  });

  test("renders where the place does not answer", async () => {
    const { cache, renders } = cacheOf({ read: () => never(), write: () => never() });
    expect(await cache.render("key", JOB, { signal })).toEqual(image(1));
    expect(renders()).toBe(1);
  });
});
