import fc from "fast-check";
import { expect, test } from "vitest";
import { ImageCache, type Turn } from "../../../src/run/image/image-cache.ts";
import type { ImageTurn } from "../../../src/run/image/image-turns.ts";
import type { ImageJob, RenderedImage } from "../../../src/run/job.ts";

const JOB = { kind: "preview" } as ImageJob;

/** A renderer whose images the test finishes by hand. */
function deferredRenderer() {
  const running: {
    readonly signal: AbortSignal;
    readonly finish: (image: RenderedImage) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const render = (_job: ImageJob, { signal }: { readonly signal: AbortSignal }): Promise<RenderedImage> =>
    new Promise((finish, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason as Error), { once: true });
      running.push({ signal, finish, fail });
    });
  return { running, render };
}

const image = (name: string, skipped: readonly string[] = []): RenderedImage => ({
  bytes: new TextEncoder().encode(name),
  format: "png",
  used: [name],
  skipped,
  truncated: false,
});

const open = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal });

function own(turn: Turn): ImageTurn {
  if (turn.kind !== "own") throw new Error("Expected a turn, got an image.");
  return turn;
}

/** Lets promises that are settled run their handlers. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("of several callers at once one has the image rendered, and the others get it when its charge stands", async () => {
  const { running, render } = deferredRenderer();
  const cache = new ImageCache({ render }, 1e6);
  const first = own(await cache.turn("k", open()));
  const others = [cache.turn("k", open()), cache.turn("k", open())];
  const rendered = first.render(JOB, open());
  running[0]?.finish(image("a"));
  expect(await rendered).toEqual(image("a"));
  await settled();
  expect(cache.find("k")).toBeUndefined();
  first.end(true);
  for (const each of others) expect(await each).toEqual({ kind: "finished", image: image("a") });
  expect(await cache.turn("k", open())).toEqual({ kind: "finished", image: image("a") });
  expect(running).toHaveLength(1);
});

test("where the charge does not stand the next caller takes over, with the same rendering, and none is left behind", async () => {
  const { running, render } = deferredRenderer();
  const cache = new ImageCache({ render }, 1e6);
  const leaving = new AbortController();
  const first = own(await cache.turn("k", open()));
  const second = cache.turn("k", open());
  const third = cache.turn("k", open());
  const rendered = first.render(JOB, { signal: leaving.signal });
  leaving.abort(new Error("gone"));
  await expect(rendered).rejects.toThrow("gone");
  first.end(false);
  const next = own(await second);
  const shared = next.render(JOB, open());
  running[0]?.finish(image("a"));
  expect(await shared).toEqual(image("a"));
  next.end(true);
  next.end(false);
  expect(await third).toEqual({ kind: "finished", image: image("a") });
  expect(running).toHaveLength(1);
});

test("a rendering that nobody waits for is ended, and one caller who leaves ends it for nobody else", async () => {
  const { running, render } = deferredRenderer();
  const cache = new ImageCache({ render }, 1e6);
  const first = own(await cache.turn("k", open()));
  const waiting = new AbortController();
  const second = cache.turn("k", { signal: waiting.signal });
  first.render(JOB, open()).catch(() => {});
  waiting.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  expect(running[0]?.signal.aborted).toBe(false);
  first.end(false);
  expect(running[0]?.signal.aborted).toBe(true);
  expect(own(await cache.turn("k", open()))).toBeDefined();
});

test("a rendering that fails fails for all who wait, and is tried again for the next who asks", async () => {
  const { running, render } = deferredRenderer();
  const cache = new ImageCache({ render }, 1e6);
  const first = own(await cache.turn("k", open()));
  const second = cache.turn("k", open());
  const rendered = first.render(JOB, open());
  running[0]?.fail(new Error("broken"));
  await expect(rendered).rejects.toThrow("broken");
  await expect(second).rejects.toThrow("broken");
  first.end(false);
  expect(own(await cache.turn("k", open()))).toBeDefined();
});

test("an image that lacks scenes is given to those who asked together, and not kept", async () => {
  const { running, render } = deferredRenderer();
  const cache = new ImageCache({ render }, 1e6);
  const first = own(await cache.turn("k", open()));
  const second = cache.turn("k", open());
  const rendered = first.render(JOB, open());
  running[0]?.finish(image("a", ["missing"]));
  await rendered;
  first.end(true);
  expect(await second).toMatchObject({ kind: "finished" });
  expect(cache.find("k")).toBeUndefined();
});

test("whatever callers do and in whatever order, no image is given before a charge stands, and one caller at a time pays", async () => {
  type Step = "ask" | "leave" | "finish" | "fail" | "pay" | "refuse";
  const steps = fc.array(
    fc.record({
      step: fc.constantFrom<Step[]>("ask", "ask", "ask", "leave", "finish", "fail", "pay", "refuse"),
      who: fc.nat(9),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { running, render } = deferredRenderer();
      const cache = new ImageCache({ render }, 0);
      const callers: {
        readonly controller: AbortController;
        state: "waits" | "pays" | "rendered" | "given" | "over";
        turn?: ImageTurn;
      }[] = [];
      let paid = 0;
      let given = 0;
      for (const { step, who } of all) {
        const caller = callers[who % Math.max(1, callers.length)];
        if (step === "ask") {
          const controller = new AbortController();
          const made: (typeof callers)[number] = { controller, state: "waits" };
          callers.push(made);
          cache.turn("k", controller).then(
            (turn) => {
              if (turn.kind === "finished") {
                made.state = "given";
                given += 1;
                return;
              }
              [made.state, made.turn] = ["pays", turn];
              turn.render(JOB, controller).then(
                () => {
                  made.state = "rendered";
                },
                () => {
                  made.state = "over";
                  turn.end(false);
                },
              );
            },
            () => {
              made.state = "over";
            },
          );
        } else if (step === "leave") {
          caller?.controller.abort(new Error("gone"));
          if (caller?.state === "rendered") {
            caller.state = "over";
            caller.turn?.end(false);
          }
        } else if (step === "finish") running.at(-1)?.finish(image("a"));
        else if (step === "fail") running.at(-1)?.fail(new Error("broken"));
        else if (caller?.state === "rendered") {
          caller.state = "over";
          if (step === "pay") paid += 1;
          caller.turn?.end(step === "pay");
        }
        await settled();
        // with nothing kept, an image is given to those alone who asked together with one who paid
        if (paid === 0) expect(given).toBe(0);
        const payers = callers.filter(({ state }) => state === "pays" || state === "rendered");
        const waiting = callers.filter(({ state }) => state === "waits");
        expect(payers.length).toBeLessThanOrEqual(1);
        if (waiting.length > 0) expect(payers).toHaveLength(1);
      }
    }),
    { numRuns: 300 },
  );
});
