import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { openBrowser } from "../../../test/tools/browser.ts";
import { buildPage, KEY, type Service, startService } from "./service.ts";

/** For what hangs, not for what is slow: no test passes or fails by how long it took. */
export const PATIENT = { timeout: 120_000 };
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
/**
 * Options under which little is drawn, most of a visit's work where no graphics card does it: nothing fades in or flies, and
 * pixels are twice as large.
 */
export const CHEAP = { reducedMotion: "reduce", deviceScaleFactor: 0.5 } as const;
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Days of the archive's fixed scenes: two passes of Sentinel-2, some of it cloudy. */
export const JULY = "dates=2024-07-01/2024-07-31";
export const HERE = "map=9/45.55/13.77";

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** All requests of the page, in order. */
  readonly requests: readonly Request[];
  /** Faults of the page itself: exceptions, refused by the content security policy. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The part of the address after `#`. */
  readonly hash?: string;
  /** The key that the session already has; `null`: none. */
  readonly key?: string | null;
  /** Waits until the list has been filled, or the tool of another tab is there. */
  readonly waits?: boolean;
}

/** Opens the page in a window of its own. */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { hash = `${JULY}&${HERE}`, key = KEY, waits = true, ...context } = options;
  const opened = await browser.newContext({
    ...DESKTOP,
    ...CHEAP,
    acceptDownloads: true,
    ...context,
  });
  opened.setDefaultTimeout(PATIENT.timeout);
  if (key !== null) {
    // only the first page of the session brings the key; later ones keep what the page itself did with it
    await opened.addInitScript((given) => {
      if (sessionStorage.getItem("test-began") === null) sessionStorage.setItem("swath-key", given);
      sessionStorage.setItem("test-began", "yes");
    }, key);
  }
  const page = await opened.newPage();
  const requests: Request[] = [];
  const faults: string[] = [];
  page.on("request", (request) => requests.push(request));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(`${url}/explore#${hash}`);
  if (waits && /(^|&)tab=/.test(hash)) await toolShown(page);
  else if (waits) await page.locator("ol.scenes > li").first().waitFor({ state: "attached" });
  return { page, context: opened, requests, faults, close: () => opened.close() };
}

/** A service that is visited. */
export type Served = Pick<Service, "url">;

export interface Visits {
  /** For windows of a test's own, which it closes. */
  browser(): Browser;
  /** The service of all test files that leave nothing in one: no accounts, guests or map tokens. */
  common(): Promise<Served>;
  /** Starts a service over the sandbox, which is stopped after the tests. */
  serve(environment?: Readonly<Record<string, string>>): Promise<Service>;
  /** Opens the page of a service, until the end of the test. */
  enter(service: Served, options?: VisitOptions): Promise<Visit>;
}

/** A browser for the tests of a group: one visit per test, which has to end without faults of the page. */
export function useVisits(): Visits {
  const services: Service[] = [];
  let browser: Browser | undefined;
  let current: Visit | undefined;

  beforeAll(async () => {
    await buildPage();
    browser = await openBrowser();
  }, 600_000);
  afterEach(async () => {
    const faults = current?.faults ?? [];
    await current?.close();
    current = undefined;
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(services.map((service) => service.stop()));
  });

  const opened = (): Browser => {
    if (browser === undefined) throw new Error("The browser has not been started.");
    return browser;
  };
  return {
    browser: opened,
    async common() {
      const answer = await fetch(inject("commonService"));
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return { url: text };
    },
    async serve(environment = {}) {
      const service = await startService(inject("sandbox"), environment);
      services.push(service);
      return service;
    },
    async enter(service, options = {}) {
      current = await visit(opened(), service.url, options);
      return current;
    },
  };
}

/** Waits until the map stands still with all its tiles. */
export async function drawn(page: Page): Promise<void> {
  await page.locator("#map[data-drawn]").waitFor(PATIENT);
}

/** Waits until the tool of the tab that is shown is there; its code is loaded when it is first shown. */
export async function toolShown(page: Page): Promise<void> {
  const tool = page.locator("[role=tabpanel]:not([hidden]) > :not(.hint, [role=status])");
  await tool.first().waitFor({ state: "attached" });
}

/** Waits until all that the page does so many milliseconds after what has happened by now is begun: its timers run in order. */
export async function timersRun(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate((after) => new Promise((resolve) => setTimeout(resolve, after)), milliseconds + 1);
}

/** Opens another view in the page, as a link in it does: returns when the page has taken it. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        // the page itself listens for longer, and is told first
        addEventListener("hashchange", () => resolve(), { once: true });
        location.hash = wanted;
      }),
    hash,
  );
}

/** Addresses of the tiles requested from the `from`th request on. */
export function tilesOf(requests: readonly Request[], from = 0): URL[] {
  return requests
    .slice(from)
    .map((request) => new URL(request.url()))
    .filter(({ pathname }) => pathname.startsWith("/v1/tiles/"));
}

/** Fields of the address bar's state. */
export function stateOf(page: Page): URLSearchParams {
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

/** Waits until the address bar holds a value. */
export async function expectState(page: Page, name: string, value: string | RegExp | null): Promise<void> {
  const matcher = value instanceof RegExp ? expect.stringMatching(value) : value;
  await expect.poll(() => stateOf(page).get(name), PATIENT).toEqual(matcher);
}

/**
 * Holds the answers to requests of a page until something is seen that is there only while they are waited for.
 *
 * @param url glob of their addresses.
 * @returns lets them come.
 */
export async function holdAnswers(page: Page, url: string): Promise<() => void> {
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}
