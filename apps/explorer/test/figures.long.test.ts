import "./provided.ts";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { isNightly } from "../../../test/tools/searches.ts";
import { KEY, type Service } from "./service.ts";
import { DESKTOP, HERE, JULY, useVisits } from "./visitor.ts";

/** All bytes of the first view: page, code, base map, documents, tiles, previews. */
const MOST_BYTES = 700_000;
const MEGABIT = 1_000_000 / 8;
/** Times on an idle machine of two cores, milliseconds; a busy one is many times slower, so that only bytes are bounded. */
const AIMS = { network: 1500, panel: 1500, imagery: 2500 };

interface Figures {
  readonly bytes: number;
  readonly panel: number;
  readonly imagery: number;
}

interface Slowness {
  /** Bits a second and milliseconds of each answer; absent: as the machine has it. */
  readonly network?: { readonly megabits: number; readonly latency: number };
  /** Times that the processor is slower. */
  readonly cpu?: number;
}

async function slowDown(session: CDPSession, { network, cpu = 1 }: Slowness): Promise<void> {
  if (network !== undefined) {
    const throughput = network.megabits * MEGABIT;
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: network.latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
}

/** Bytes on the wire until the map stands still, those of its worker's code too. */
function countBytes(session: CDPSession): () => number {
  const sizes = new Map<string, number>();
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  return () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Runs in the page before its own code. Marks when the panel is there, and says on the console when it and the first imagery
 * are: asking the page itself would put more code into it than it has, at the time that is measured.
 */
function markInPage(): void {
  const said = { panel: false, imagery: false };
  const say = (what: keyof typeof said): void => {
    if (said[what]) return;
    said[what] = true;
    if (said.panel && said.imagery) console.info("both are there");
  };
  new MutationObserver((_, observer) => {
    if (document.querySelector(".panel .controls") === null) return;
    observer.disconnect();
    performance.mark("panel");
    say("panel");
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-imagery").length > 0) say("imagery");
  }).observe({ type: "mark", buffered: true });
}

const markedAt = (page: Page, name: string): Promise<number | undefined> =>
  page.evaluate((mark) => performance.getEntriesByName(mark)[0]?.startTime, name);

describe.skipIf(!hasChromium)("what the first view costs", { timeout: 600_000 }, () => {
  const visits = useVisits();
  let service: Service;
  beforeAll(async () => {
    service = await visits.serve({ SWATH_WORKERS: "2" });
  }, 600_000);

  /** Opens the page in a browser context without any cache. */
  async function measure(slowness: Slowness): Promise<Figures> {
    const context = await visits.browser().newContext(DESKTOP);
    await context.addInitScript((key) => sessionStorage.setItem("swath-key", key), KEY);
    await context.addInitScript(markInPage);
    // for what hangs: nothing is found by how long it took
    context.setDefaultTimeout(300_000);
    const page = await context.newPage();
    try {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      const bytes = countBytes(session);
      await slowDown(session, slowness);
      const both = page.waitForEvent("console", { predicate: (message) => message.text() === "both are there" });
      await page.goto(`${service.url}/explore#${JULY}&${HERE}`);
      await both;
      await page.locator("#map[data-drawn]").waitFor();
      await page.locator("ol.scenes img[src]").first().waitFor();
      const [panel = Number.NaN, imagery = Number.NaN] = [
        await markedAt(page, "panel"),
        await markedAt(page, "first-imagery"),
      ];
      const worker = await page.evaluate(
        () => performance.getEntriesByType("resource").find(({ name }) => name.includes("worker"))?.name,
      );
      // workers fetch by themselves: their bytes are those that the service sends
      const response = worker === undefined ? undefined : await fetch(worker, { headers: { "Accept-Encoding": "br" } });
      return { bytes: bytes() + Number(response?.headers.get("Content-Length") ?? 0), panel, imagery };
    } finally {
      await context.close();
    }
  }

  test("the page names five files: its code and styles, what others share, and the map's two", async () => {
    const html = await (await fetch(`${service.url}/explore`)).text();
    expect(html.match(/\/explore\/assets\/[\w.-]+/g)).toHaveLength(5);
  });

  test("it weighs at most 700 kB, all in; times are reported beside their aims", async () => {
    // the service renders the view once before, as for the second visitor
    await measure({});
    const network = await measure({ network: { megabits: 10, latency: 40 } });
    // only told, and so only at night
    const cpu = isNightly ? await measure({ cpu: 4 }) : undefined;
    console.info(
      [
        `first view ${network.bytes} bytes (at most ${MOST_BYTES})`,
        `imagery at 10 Mbit/s and 40 ms after ${Math.round(network.imagery)} ms (aim ${AIMS.network})`,
        ...(cpu === undefined
          ? []
          : [
              `panel with a 4 times slower processor after ${Math.round(cpu.panel)} ms (aim ${AIMS.panel})`,
              `imagery with it after ${Math.round(cpu.imagery)} ms (aim ${AIMS.imagery})`,
            ]),
      ].join("\n"),
    );
    expect(network.bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(network.bytes).toBeGreaterThan(300_000);
    expect([network.panel, network.imagery].every(Number.isFinite)).toBe(true);
  });
});
