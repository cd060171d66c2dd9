import { readFile } from "node:fs/promises";
import "./provided.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { frameSize } from "../src/timeline/frames.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { type Color, meanOf } from "./colors.ts";
import {
  drawn,
  expectState,
  goTo,
  PATIENT,
  PHONE,
  type Served,
  stateOf,
  tilesOf,
  useVisits,
  type Visit,
  type VisitOptions,
} from "./visitor.ts";

/** The valley of the sandbox: a meadow before and in the flood of May 2023. */
const VALLEY = "map=13/45.7503/12.2533";
const DRY = "2023-05-06";
const FLOOD = "2023-05-16";
const COMPARED = `preset=true-color&collection=sentinel-2-l2a&dates=${DRY}/${DRY}&right=${FLOOD}/${FLOOD}&${VALLEY}`;
/** Three days with few clouds. */
const MAY = `preset=true-color&collection=sentinel-2-l2a&dates=2023-05-01/2023-05-31&cloud=20&card=timeline&${VALLEY}`;
const MAY_DAYS = ["2023-05-06", "2023-05-16", "2023-05-26"];
/** A window in which a map has few tiles and an animation few pixels, each of them drawn without a graphics card. */
const SMALL = { viewport: { width: 760, height: 480 } } as const;

interface Animation {
  readonly type: string;
  readonly frames: readonly { readonly milliseconds: number; readonly color: Color }[];
}

/** Frames of an animation as the browser's own decoder reads them: their durations, and their colour at a place. */
const animationOf = (page: Page, bytes: Buffer, type: string, part: { x: number; y: number }): Promise<Animation> =>
  page.evaluate(
    async ({ base64, type, x, y }) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type });
      await Promise.all([decoder.completed, decoder.tracks.ready]);
      const track = decoder.tracks.selectedTrack;
      const frames = [];
      for (let frameIndex = 0; frameIndex < (track?.frameCount ?? 0); frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext("2d");
        context?.drawImage(image, 0, 0);
        const { data: pixels } = context?.getImageData(x * image.displayWidth, y * image.displayHeight, 20, 20) ?? {};
        const mean = (band: number): number =>
          (pixels ?? new Uint8ClampedArray()).filter((_, i) => i % 4 === band).reduce((sum, value) => sum + value, 0) /
          400;
        frames.push({ milliseconds: (image.duration ?? 0) / 1000, color: [mean(0), mean(1), mean(2)] as const });
      }
      return { type: decoder.type, frames };
    },
    { base64: bytes.toString("base64"), type, ...part },
  );

/** Loads the page anew in a browser that does not encode by some codecs either. */
async function lack(page: Page, codecs: readonly string[]): Promise<void> {
  await page.addInitScript((names) => {
    const ask = VideoEncoder.isConfigSupported.bind(VideoEncoder);
    VideoEncoder.isConfigSupported = async (config) =>
      names.some((name) => config.codec.startsWith(name)) ? { supported: false, config } : ask(config);
  }, codecs);
  await page.reload();
}

/** The library as one script that has its exports on `Mediabunny`, and calls nothing else of the page. */
const MEDIABUNNY = new URL("../node_modules/mediabunny/dist/bundles/mediabunny.min.cjs", import.meta.url);

interface Video extends Animation {
  readonly width: number;
  readonly height: number;
  readonly codec: string | null;
}

/** Frames of a video as the library reads them, and the browser decodes them. */
async function videoOf(page: Page, bytes: Buffer, part: { x: number; y: number }): Promise<Video> {
  await page.evaluate(`${await readFile(MEDIABUNNY, "utf8")}\n;globalThis.Mediabunny = Mediabunny; undefined`);
  return page.evaluate(
    async ({ base64, x, y }) => {
      const { ALL_FORMATS, BufferSource, Input, VideoSampleSink } = (
        globalThis as unknown as { Mediabunny: typeof import("mediabunny") }
      ).Mediabunny;
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const input = new Input({ source: new BufferSource(data), formats: ALL_FORMATS });
      const track = await input.getPrimaryVideoTrack();
      if (track === null) throw new Error("The file has no video.");
      const end = (await input.getDurationFromMetadata()) ?? 0;
      const frames: { readonly begin: number; readonly color: Color }[] = [];
      for await (const sample of new VideoSampleSink(track).samples()) {
        const { displayWidth, displayHeight, timestamp } = sample;
        const context = new OffscreenCanvas(displayWidth, displayHeight).getContext("2d");
        if (context === null) throw new Error("There is no memory for the frame.");
        sample.draw(context, 0, 0);
        const { data: pixels } = context.getImageData(x * displayWidth, y * displayHeight, 20, 20);
        const mean = (band: number): number =>
          pixels.filter((_, i) => i % 4 === band).reduce((sum, value) => sum + value, 0) / 400;
        frames.push({ begin: timestamp, color: [mean(0), mean(1), mean(2)] as const });
        sample.close();
      }
      const type = (await input.getMimeType()).split(";")[0] ?? "";
      // a frame is shown until the next one, or the end of the file
      const shown = frames.map(({ begin, color }, i) => ({
        milliseconds: Math.round(1000 * ((frames[i + 1]?.begin ?? end) - begin)),
        color,
      }));
      return { type, width: track.displayWidth, height: track.displayHeight, codec: track.codec, frames: shown };
    },
    { base64: bytes.toString("base64"), ...part },
  );
}

describe.skipIf(!hasChromium)("the comparison and the timeline", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Served;
  beforeAll(async () => {
    service = await visits.common();
  }, 600_000);

  const enter = async (hash: string, options: VisitOptions = {}): Promise<Visit> => {
    const visited = await visits.enter(service, { hash, waits: false, ...options });
    await drawn(visited.page);
    return visited;
  };
  const bothDrawn = (page: Page): Promise<void> => page.locator(".second-map[data-drawn]").waitFor();
  const border = (page: Page) => page.getByRole("slider", { name: "Border between the images" });
  const picture = (page: Page): Promise<Buffer> => page.locator("#map").screenshot();
  const hideTimeline = (page: Page, isHidden: boolean): Promise<void> =>
    page.locator("#card-timeline").evaluate((card, hidden) => {
      (card as HTMLElement).style.visibility = hidden ? "hidden" : "";
    }, isHidden);
  const near = (color: Color) => color.map((value) => expect.closeTo(value, -1));

  test("of two days one is left and one right of a border, each as it is when it is shown alone", async () => {
    const { page, requests } = await enter(COMPARED);
    await bothDrawn(page);
    expect(new Set(tilesOf(requests).map(({ searchParams }) => searchParams.get("datetime")))).toEqual(
      new Set([`${DRY}/${DRY}`, `${FLOOD}/${FLOOD}`]),
    );
    await page.getByText(`True colour, ${DRY}`, { exact: true }).waitFor();
    await page.getByText(`True colour, ${FLOOD}`, { exact: true }).waitFor();
    // fields and forest on the left, the flooded meadow on the right
    const [west, east] = [
      { x: 0.25, y: 0.8, size: 20 },
      { x: 0.66, y: 0.8, size: 20 },
    ];
    const both = await picture(page);
    const [left, right] = [await meanOf(page, both, west), await meanOf(page, both, east)];
    const alone = async (day: string): Promise<Buffer> => {
      await goTo(page, COMPARED.replace(/dates=.*&map/, `dates=${day}/${day}&map`));
      await expect.poll(() => page.locator(".swipe").count(), PATIENT).toBe(0);
      await expectState(page, "dates", `${day}/${day}`);
      await drawn(page);
      return picture(page);
    };
    const dry = await alone(DRY);
    const flood = await alone(FLOOD);
    expect(left).toEqual(near(await meanOf(page, dry, west)));
    expect(right).toEqual(near(await meanOf(page, flood, east)));
    const change = (await meanOf(page, dry, east)).map((value, band) => Math.abs(value - (right[band] ?? 0)));
    expect(Math.max(...change)).toBeGreaterThan(15);
  });

  test("keys move the border, the address has what is compared, and Back takes it away", async () => {
    const { page } = await enter(`preset=true-color&collection=sentinel-2-l2a&dates=${DRY}/${DRY}&${VALLEY}`, SMALL);
    await page.getByRole("button", { name: "Compare" }).click();
    await expectState(page, "right", `${DRY}/${DRY}`);
    await expectState(page, "right-preset", "ndvi");
    await bothDrawn(page);
    await border(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expectState(page, "swipe", "49");
    await page.keyboard.press("Home");
    await expectState(page, "swipe", "0");
    expect(await border(page).getAttribute("aria-valuetext")).toBe(
      `0 % of the width. Left: True colour, ${DRY}. Right: NDVI, ${DRY}.`,
    );
    await page.getByLabel("Day of the right image").selectOption(FLOOD);
    await expectState(page, "right", `${FLOOD}/${FLOOD}`);
    await page.goBack();
    await expectState(page, "right", `${DRY}/${DRY}`);
    await page.goForward();
    await expectState(page, "right", `${FLOOD}/${FLOOD}`);
    await page.getByRole("button", { name: "Swap" }).click();
    await expectState(page, "preset", "ndvi");
    expect(Object.fromEntries(stateOf(page))).toMatchObject({
      dates: `${FLOOD}/${FLOOD}`,
      right: `${DRY}/${DRY}`,
      "right-preset": "true-color",
    });
    await page.getByRole("button", { name: "Stop comparing" }).click();
    await expectState(page, "right", null);
    await expect.poll(() => page.locator(".second-map").count(), PATIENT).toBe(0);
  });

  test("a finger moves the border on a phone, and the map with both images elsewhere", async () => {
    const { page, context } = await enter(COMPARED, PHONE);
    await bothDrawn(page);
    const box = await page.locator("#map").boundingBox();
    if (box === null) throw new Error("The map is not shown.");
    const touch = await context.newCDPSession(page);
    const drag = async (from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> => {
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const point = { x: from.x + by.x * share, y: from.y + by.y * share };
        await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
      }
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await drag({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, { x: -100, y: 0 });
    await expectState(page, "swipe", /^(1\d|2\d)$/);
    expect(stateOf(page).get("map")).toBe("13/45.7503/12.2533");
    await drag({ x: box.x + box.width * 0.7, y: box.y + box.height * 0.7 }, { x: 0, y: -60 });
    // to the south by the finger's way at least: how far the map goes on depends on the finger's speed
    const latitude = (): number => Number(stateOf(page).get("map")?.split("/")[1]);
    await expect.poll(latitude, PATIENT).toBeLessThan(45.7475);
    await expectState(page, "map", /^13\/45\.7\d*\/12\.253\d*$/);
  });

  test("the timeline goes through the clear days by hand and by itself, and the map shows the day", async () => {
    const { page, requests } = await enter(MAY);
    await page.getByText("6 May 2023: 1 scene, 0 % cloud, Sentinel-2A (1 of 3)").waitFor();
    await expectState(page, "day", "2023-05-06");
    const slider = page.getByRole("slider", { name: "Day" });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await expectState(page, "day", "2023-05-16");
    await page.locator(".mode").getByText("2023-05-16", { exact: true }).waitFor();
    await expect
      .poll(
        () => tilesOf(requests).some(({ searchParams }) => searchParams.get("datetime") === `${FLOOD}/${FLOOD}`),
        PATIENT,
      )
      .toBe(true);
    await page.getByRole("button", { name: "The day before" }).click();
    await expectState(page, "day", "2023-05-06");
    await page.getByLabel("Days a second").selectOption("4");
    await page.getByRole("button", { name: "Play" }).click();
    await expectState(page, "day", "2023-05-16");
    await expectState(page, "day", "2023-05-26");
    await expectState(page, "day", "2023-05-06");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Close Timeline" }).click();
    await expectState(page, "day", null);
    await page.locator(".mode").getByText("2023-05-01 to 2023-05-31").waitFor();
  });

  test("the timeline covers no button of the map, however small the map is", async () => {
    const { page } = await enter(MAY);
    await page.getByRole("slider", { name: "Day" }).waitFor();
    for (const [width, height] of [
      [1280, 800],
      [1000, 480],
      [900, 540],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const covered = await page.locator(".stage button:visible").evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { x, y, width, height } = button.getBoundingClientRect();
            return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
          })
          .map((button) => button.textContent),
      );
      expect([width, height, ...covered]).toEqual([width, height]);
    }
  });

  const place = { x: 0.9, y: 0.8 };
  /** Colours of the days at the place, as the map shows them: the same for each format. */
  let shown: readonly Color[] | undefined;
  const shownOf = async (page: Page): Promise<readonly Color[]> => {
    const colors: Color[] = [];
    for (const [i, day] of MAY_DAYS.entries()) {
      if (i > 0) await page.getByRole("button", { name: "The day after" }).click();
      await expectState(page, "day", day);
      // the card would hide the place
      await hideTimeline(page, true);
      await drawn(page);
      colors.push(await meanOf(page, await picture(page), { ...place, size: 20 }));
      await hideTimeline(page, false);
    }
    return colors;
  };

  test.each([
    { format: "webp", type: "image/webp" },
    { format: "gif", type: "image/gif" },
    { format: "mp4", type: "video/mp4" },
    { format: "webm", type: "video/webm" },
  ])("the days are saved as $type: a frame each, as the map shows them", async ({ format, type }) => {
    const { page } = await enter(MAY, { ...SMALL, deviceScaleFactor: 1 });
    if (format === "webm") await lack(page, ["avc"]);
    await page.getByText("(1 of 3)").waitFor();
    await page.getByLabel("Format").selectOption(format);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the animation" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`true-color-2023-05-06-2023-05-26.${format}`);
    const bytes = await readFile(await download.path());
    const isVideo = type.startsWith("video/");
    const animation = isVideo ? await videoOf(page, bytes, place) : await animationOf(page, bytes, type, place);
    expect(animation.type).toBe(type);
    const box = await page.locator("#map").boundingBox();
    if ("codec" in animation) expect(animation).toMatchObject(frameSize(box?.width ?? 0, box?.height ?? 0));
    expect(animation.frames.map(({ milliseconds }) => milliseconds)).toEqual([500, 500, 500]);
    shown ??= await shownOf(page);
    expect(animation.frames.map(({ color }) => color)).toEqual(shown.map(near));
  });

  test("of videos the best that the browser encodes is offered, or none", async () => {
    const { page } = await enter(MAY, SMALL);
    const formats = (): Promise<string[]> => page.getByLabel("Format").locator("option").allTextContents();
    await expect.poll(formats, PATIENT).toEqual(["WebP", "GIF", "MP4"]);
    await lack(page, ["avc", "vp09", "av01"]);
    await expect.poll(formats, PATIENT).toEqual(["WebP", "GIF", "WebM"]);
    await lack(page, ["vp8"]);
    await page.getByText("(1 of 3)").waitFor();
    expect(await formats()).toEqual(["WebP", "GIF"]);
    // the map is small: nothing of it lies over the card and the buttons of the tools
    for (const tool of await page.getByRole("group", { name: "Tools of the map" }).getByRole("button").all())
      await tool.click({ trial: true });
    await page.getByRole("button", { name: "Close Timeline" }).click();
    await expectState(page, "day", null);
  });

  test("saving says how far it is, and stops when it is told to", async () => {
    const { page } = await enter(MAY.replace("2023-05-01/2023-05-31", "2022-01-01/2023-12-31"), SMALL);
    await page.getByText("(1 of 52)").waitFor();
    // tiles of some days come, and those of the others not before it is stopped
    const days = new Set<string | null>();
    await page.route("**/v1/tiles/**", async (route) => {
      days.add(new URL(route.request().url()).searchParams.get("datetime"));
      if (days.size <= 3) await route.continue();
    });
    await page.getByRole("button", { name: "Save the animation" }).click();
    await page.getByRole("progressbar", { name: "Frames drawn" }).waitFor();
    await page.getByText(/^[1-9]\d* of 52 frames$/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Save the animation" }).waitFor();
    expect([await page.locator(".recorded").count(), await page.locator(".problem").count()]).toEqual([0, 0]);
  });

  test.each(LOOKS)("%s: both are accessible", async (_, look) => {
    const { page } = await enter(`${COMPARED}&card=compare`, look);
    await bothDrawn(page);
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    await page.getByRole("button", { name: "Timeline" }).click();
    await page.getByText("One day alone").waitFor();
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
  });
});
