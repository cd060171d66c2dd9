import { readFile } from "node:fs/promises";
import "./provided.ts";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { mailedLink, mailsOf } from "./mailbox.ts";
import { KEY, type Service } from "./service.ts";
import {
  drawn,
  expectState,
  goTo,
  HERE,
  holdAnswers,
  JULY,
  PATIENT,
  stateOf,
  useVisits,
  type Visit,
  type VisitOptions,
} from "./visitor.ts";

const POINT = "point=13.77,45.55";
const POLYGON = "polygon=13.3,45.5;13.33,45.5;13.33,45.52;13.3,45.52";
/** Since the fixed scenes of 2021. */
const YEARS = "span=P5Y";
const DAYS = "2019-08-01/2024-07-31";
const RING = [
  [13.3, 45.5],
  [13.33, 45.5],
  [13.33, 45.52],
  [13.3, 45.52],
  [13.3, 45.5],
];

interface Row {
  readonly datetime: string;
  readonly itemId: string;
  readonly collection: string;
  readonly platform: string | null;
  readonly value: number | null;
}

describe.skipIf(!hasChromium)("curves, statistics, the calendar and measures", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Service;
  beforeAll(async () => {
    service = await visits.serve();
  }, 600_000);

  const enter = (hash: string, options: VisitOptions = {}): Promise<Visit> =>
    visits.enter(service, { hash: `${JULY}&${HERE}&${hash}`, waits: false, ...options });
  const ask = (
    path: string,
    init: RequestInit & { readonly headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${service.url}/v1/${path}`, { ...init, headers: { "X-API-Key": KEY, ...init.headers } });
  const series = async (query: string): Promise<Row[]> =>
    ((await (await ask(`timeseries?${query}`)).json()) as { series: Row[] }).series;
  const sentTo = ({ requests }: Visit, path: string): URL[] =>
    requests.map((request) => new URL(request.url())).filter(({ pathname }) => pathname === path);
  const chart = (page: Page): Locator => page.getByRole("application");
  const said = (page: Page): Locator => page.locator(".chart-box [role=status]");
  const saved = async (page: Page): Promise<{ name: string; text: string }> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  };
  const middle = async (page: Page): Promise<{ x: number; y: number }> => {
    const box = await page.locator("#map").boundingBox();
    if (box === null) throw new Error("The map is not shown.");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };

  test("a click on the map gives the curve of all sensors there, and its table is the service's own", async () => {
    const visited = await enter(`tab=analysis&${YEARS}`);
    const { page } = visited;
    await drawn(page);
    const { x, y } = await middle(page);
    await page.mouse.click(x, y);
    await chart(page).waitFor();
    await expectState(page, "point", /^13\.77\d*,45\.55\d*$/);
    const [lon, lat] = (stateOf(page).get("point") ?? "").split(",");
    const [asked] = sentTo(visited, "/v1/timeseries");
    const place = `lon=${asked?.searchParams.get("lon")}&lat=${asked?.searchParams.get("lat")}`;
    expect([Number(asked?.searchParams.get("lon")), Number(asked?.searchParams.get("lat"))]).toEqual([
      expect.closeTo(Number(lon), 5),
      expect.closeTo(Number(lat), 5),
    ]);
    const query = `${place}&datetime=${DAYS}&index=ndvi&collections=optical-sr`;
    const rows = await series(query);
    const sensors = new Set(rows.map(({ platform }) => platform));
    expect(sensors.size).toBeGreaterThan(2);
    expect(await page.locator(".chart-legend button").count()).toBe(sensors.size);
    const { name, text } = await saved(page);
    expect(name).toBe("series_NDVI_2019-08-01_2024-07-31.csv");
    expect(text).toBe(await (await ask(`timeseries?${query}&format=csv`)).text());
    expect(sentTo(visited, "/v1/timeseries")).toHaveLength(1);
  });

  test("keys and the pointer go along the curve, which is told in words, show a scene on the map where it is, and a sensor can be hidden", async () => {
    const { page } = await enter(`tab=analysis&${YEARS}&${POINT}`);
    await chart(page).waitFor();
    const rows = await series(`lon=13.77&lat=45.55&datetime=${DAYS}&index=ndvi`);
    await chart(page).focus();
    const texts: string[] = [];
    for (const [i] of rows.entries()) {
      await page.keyboard.press(i === 0 ? "Home" : "ArrowRight");
      texts.push((await said(page).textContent()) ?? "");
    }
    expect(texts.map((text) => text.slice(0, 17))).toEqual(
      rows.map(({ datetime }) => `${datetime.slice(0, 10)}, ${datetime.slice(11, 16)}`),
    );
    for (const [i, { value }] of rows.entries()) {
      expect(texts[i]).toContain(value === null ? "masked" : String(Number(value.toPrecision(4))));
    }
    // the first one is of another collection than the one in view
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expectState(page, "scene", rows[0]?.itemId ?? "");
    await expectState(page, "collection", rows[0]?.collection ?? "");
    await page.getByText("One scene", { exact: true }).waitFor();
    await expectState(page, "map", /^9\/45\.55\/13\.77$/);
    await page.keyboard.press("End");
    await page.keyboard.press("Space");
    await expectState(page, "scene", rows.at(-1)?.itemId ?? "");
    // the pointer names the scene it is at, a click shows it, and a sensor can be hidden
    const box = await chart(page).boundingBox();
    if (box === null) throw new Error("The chart is not shown.");
    const start = Date.parse("2019-08-01");
    const share = (Date.parse(rows[0]?.datetime ?? "") - start) / (Date.parse("2024-08-01") - start);
    // the plot lies right of its axis of 64 pixels and left of 12 pixels
    await page.mouse.move(box.x + 64 + share * (box.width - 76), box.y + 80, { steps: 3 });
    await page
      .locator(".tip .scene-id")
      .getByText(rows[0]?.itemId ?? "")
      .waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await expectState(page, "scene", rows[0]?.itemId ?? "");
    const sensor = page.locator(".chart-legend button").first();
    await sensor.click();
    await expect.poll(() => sensor.getAttribute("aria-pressed"), PATIENT).toBe("false");
    const name = ((await sensor.textContent()) ?? "").trim();
    await chart(page).focus();
    await page.keyboard.press("Home");
    for (const _ of rows) {
      const text = await said(page).textContent();
      expect(text).toMatch(/^\d{4}-\d\d-\d\d/);
      expect(text).not.toContain(name);
      await page.keyboard.press("ArrowRight");
    }
  });

  test("observations under clouds stay in the curve, without a value", async () => {
    // clouds of 6 July 2024 lie over this place
    const cloudy = await cloudyPoint();
    const { page } = await enter(`tab=analysis&span=view&point=${cloudy.join(",")}`);
    await page.getByText("masked, no value").waitFor();
    await page.getByText(/[1-9]\d* masked observation/).waitFor();
    await chart(page).focus();
    await page.keyboard.press("Home");
    const texts: string[] = [];
    for (let i = 0; i < 8; i++) {
      texts.push((await said(page).textContent()) ?? "");
      await page.keyboard.press("ArrowRight");
    }
    expect(texts.some((text) => text.includes("masked, no value"))).toBe(true);
    // the values of clouds are shown on request
    await page.getByLabel("Leave out clouds and their shadows").uncheck();
    await expectState(page, "clouds", "kept");
    await page.getByText(/ 0 masked observations/).waitFor();
    await page.getByLabel("Leave out clouds and their shadows").check();
    await page.getByText(/[1-9]\d* masked observation/).waitFor();
  });

  /** A place where the mask of a scene in July 2024 drops the pixel. */
  async function cloudyPoint(): Promise<[number, number]> {
    for (let i = 0; i < 60; i++) {
      const [lon, lat] = [13.2 + (i % 10) * 0.06, 45.45 + Math.floor(i / 10) * 0.03];
      const rows = await series(`lon=${lon}&lat=${lat}&datetime=2024-07-01/2024-07-31&index=ndvi`);
      if (rows.some(({ value }) => value === null) && rows.some(({ value }) => value !== null)) return [lon, lat];
    }
    throw new Error("No place under a cloud was found.");
  }

  test("a polygon gives a curve of its median, an expression of one's own is taken, and a refusal is told in words", async () => {
    const visited = await enter(`tab=analysis&span=view&${POLYGON}`);
    const { page, requests } = visited;
    await chart(page).waitFor();
    await page.locator("#analysis-reducer").selectOption("median");
    const bodies = (): unknown[] =>
      requests.filter((request) => request.url().endsWith("/v1/timeseries")).map((request) => request.postDataJSON());
    await expect
      .poll(() => bodies().at(-1), PATIENT)
      .toMatchObject({
        geometry: { type: "Polygon", coordinates: [RING] },
        datetime: "2024-07-01/2024-07-31",
        index: "ndvi",
        reducer: "median",
      });
    await page.getByLabel("Value", { exact: true }).selectOption("=");
    await page.getByRole("textbox", { name: "Expression" }).fill("nir08 / purple");
    await page.keyboard.press("Enter");
    const alert = page.locator(".dock").getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/purple/);
    await page.getByRole("textbox", { name: "Expression" }).fill("nir08 / red");
    await page.keyboard.press("Enter");
    await chart(page).waitFor();
    await expectState(page, "measure", "=nir08 / red");
    expect(await chart(page).getAttribute("aria-label")).toContain("nir08 / red: The polygon");
  });

  test("an area that is too large for a curve, and a file that is no GeoJSON, are refused before anything is sent", async () => {
    const visited = await enter("tab=analysis&box=13,45.3,13.5,45.7");
    const { page } = visited;
    await page
      .getByText(/at most 25 km²/)
      .first()
      .waitFor();
    const file = { name: "fields.kml", mimeType: "text/xml", buffer: Buffer.from("<kml></kml>") };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("alert").getByText(/KML/).waitFor();
    expect(sentTo(visited, "/v1/timeseries")).toEqual([]);
  });

  test("statistics of a polygon are those of the service: a table by interval, a histogram, and the service's own table", async () => {
    const { page, requests } = await enter(`tab=analysis&numbers=statistics&span=view&${POLYGON}`);
    await page.getByRole("table").waitFor();
    await page.getByLabel("Intervals").selectOption("P10D");
    await expect.poll(() => page.locator(".numbers tbody tr").count(), PATIENT).toBe(4);
    const sent =
      requests
        .filter((request) => request.url().endsWith("/v1/statistics"))
        .at(-1)
        ?.postData() ?? "";
    expect(JSON.parse(sent)).toMatchObject({ index: "ndvi", aggregation: { aggregationInterval: { of: "P10D" } } });
    const headers = { "Content-Type": "application/json" };
    const answer = await ask("statistics", { method: "POST", body: sent, headers });
    const { data } = (await answer.json()) as {
      data: readonly {
        outputs: { ndvi: { stats: { mean: number | null; sampleCount: number; noDataCount: number } } };
      }[];
    };
    const means = data.map(({ outputs }) => outputs.ndvi.stats.mean);
    expect(means.filter((mean) => mean !== null).length, sent).toBeGreaterThan(0);
    const cells = await page.locator(".numbers tbody tr td:nth-child(2)").allTextContents();
    expect(cells).toEqual(means.map((mean) => (mean === null ? "–" : String(Number(mean.toPrecision(4))))));
    const first = data[means.findLastIndex((mean) => mean !== null)]?.outputs.ndvi.stats;
    const pixels = ((first?.sampleCount ?? 0) - (first?.noDataCount ?? 0)).toLocaleString("en");
    await page.getByRole("img", { name: new RegExp(`Histogram of .* ${pixels} pixels`) }).waitFor();
    // another row is looked at by its button
    await page.getByRole("button", { name: "2024-07-11 to 2024-07-20" }).click();
    await page.getByRole("img", { name: /Histogram of 2024-07-11 to 2024-07-20/ }).waitFor();
    const { text } = await saved(page);
    expect(text).toBe(
      await (
        await ask("statistics", { method: "POST", body: sent, headers: { ...headers, Accept: "text/csv" } })
      ).text(),
    );
  });

  const square = (lon: number, lat: number, side = 0.02): number[][] => [
    [lon, lat],
    [lon + side, lat],
    [lon + side, lat + side],
    [lon, lat + side],
    [lon, lat],
  ];
  const fieldFile = (...fields: readonly (readonly [name: string, geometry: object])[]) => ({
    name: "fields.geojson",
    mimeType: "application/geo+json",
    buffer: Buffer.from(
      JSON.stringify({
        type: "FeatureCollection",
        features: fields.map(([name, geometry]) => ({ type: "Feature", properties: { name }, geometry })),
      }),
    ),
  });
  const polygon = (lon: number, lat: number, side?: number): object => ({
    type: "Polygon",
    coordinates: [square(lon, lat, side)],
  });
  const THREE = [
    ["Long acre", polygon(13.7, 45.5)],
    ["Forest edge", polygon(13.4, 45.62)],
    ["Plain", polygon(13.2, 45.2, 0.4)],
    [
      "Road",
      {
        type: "LineString",
        coordinates: [
          [13, 45],
          [14, 46],
        ],
      },
    ],
  ] as const;

  test("fields of a file have a curve each, beside each other or together, and one table; those that cannot be asked say why", async () => {
    const { page } = await enter(`tab=analysis&${YEARS}`);
    await page.locator("input[type=file]").setInputFiles(fieldFile(...THREE));
    await page.getByText("Road: Expected a Point, Polygon or MultiPolygon, got a LineString.").waitFor();
    const answer = await holdAnswers(page, "**/v1/timeseries");
    await page.getByRole("button", { name: "Ask for 3 curves" }).click();
    await page.getByText(/\d+ of 3 fields are read/).waitFor();
    answer();
    await page.getByRole("button", { name: "Ask for the 1 that are missing" }).waitFor();
    const list = page.getByRole("list", { name: "Fields" });
    expect(await list.getByText(/values$/).count()).toBe(2);
    expect(await list.getByText(/at most 25 km²/).count()).toBe(1);
    const legend = page.getByRole("list", { name: "Legend of the curve" });
    expect((await legend.getByRole("button").allTextContents()).map((text) => text.trim())).toEqual([
      "Long acre",
      "Forest edge",
    ]);
    await page.getByLabel("A chart for each").check();
    await expect.poll(() => chart(page).count(), PATIENT).toBe(2);
    const { text } = await saved(page);
    const [header = "", ...lines] = text.trim().split("\r\n");
    expect(header).toBe("feature,datetime,itemId,collection,platform,value,validFraction,harmonization,problem");
    expect(new Set(lines.map((line) => line.split(",")[0]))).toEqual(new Set(["Long acre", "Forest edge"]));
    // the same fields have statistics, the large one too
    await page.getByRole("radio", { name: "Statistics" }).check();
    await page.getByLabel("Time", { exact: true }).selectOption("view");
    await page.getByRole("button", { name: "Ask for 3 statistics" }).click();
    await expect.poll(() => page.locator(".numbers tbody tr").count(), PATIENT).toBe(3);
    await page.locator(".numbers").getByRole("button", { name: "Plain" }).click();
    await page.getByRole("img", { name: /Histogram of/ }).waitFor();
  });

  test("questions about many fields can be stopped, and what was answered stays", async () => {
    const { page } = await enter(`tab=analysis&${YEARS}`);
    const many = Array.from(
      { length: 40 },
      (_, i) => [`Field ${i}`, polygon(13.2 + (i % 8) * 0.06, 45.3 + i * 0.005)] as const,
    );
    await page.locator("input[type=file]").setInputFiles(fieldFile(...many));
    // some are answered, also where a busy service asks for patience first, and the others wait until they are stopped
    const answered = new Set<string>();
    await page.route("**/v1/timeseries", async (route) => {
      const body = route.request().postData() ?? "";
      if (answered.size < 4) answered.add(body);
      if (answered.has(body)) await route.continue();
    });
    await page.getByRole("button", { name: "Ask for 40 curves" }).click();
    await page
      .locator(".field-state")
      .getByText(/values$/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".asking").waitFor({ state: "detached" });
    const states = await page.locator(".field-state").allTextContents();
    expect(states.filter((text) => text === "stopped").length).toBeGreaterThan(0);
    const done = states.filter((text) => text.endsWith("values")).length;
    expect(done).toBeGreaterThan(0);
    await page.getByRole("button", { name: `Ask for the ${40 - done} that are missing` }).waitFor();
  });

  test("guests are told what needs a key, and nothing is asked; the calendar is theirs too", async () => {
    const visited = await enter(`tab=analysis&${POINT}&card=calendar`, { key: null });
    const { page } = visited;
    await page.getByText("need a key or a session").waitFor();
    await page.locator(".day.has-data").first().waitFor();
    expect(sentTo(visited, "/v1/timeseries")).toEqual([]);
    const printed = /npm start prints a key for trying the service out, and an address of this page that has it\./;
    await page.getByRole("note").getByText(printed).waitFor();
    await page.getByRole("button", { name: "Use a key" }).first().click();
    await page.getByRole("dialog").getByText(printed).waitFor();
    await page.getByRole("dialog").getByLabel("Key", { exact: true }).fill(KEY);
    await page.keyboard.press("Enter");
    await chart(page).waitFor();
    expect(sentTo(visited, "/v1/timeseries")).toHaveLength(1);
  });

  test("a guest signs up by mail and has the curve of the place that was clicked before", async () => {
    const { page, context } = await enter(YEARS, { key: null });
    await drawn(page);
    await page.getByRole("tab", { name: "Analysis" }).click();
    const { x, y } = await middle(page);
    await page.mouse.click(x, y);
    await expectState(page, "point", /^13\.77\d*,45\.55\d*$/);
    const makeKey = page.getByRole("link", { name: "Make a key" });
    // what is missing is told in sight, below what is shown of the panel there is nothing to find
    expect(await makeKey.evaluate((link) => link.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    const { dataDirectory } = service;
    const seen = (await mailsOf(dataDirectory)).length;
    await makeKey.click();
    await page.getByLabel("E-mail address").fill("curve@example.org");
    await page.keyboard.press("Enter");
    const mailed = await context.newPage();
    await mailed.goto(await mailedLink(dataDirectory, seen));
    await mailed.getByRole("button", { name: "Sign in" }).click();
    await mailed.getByRole("link", { name: "Back to the map" }).click();
    await chart(mailed).waitFor();
    await expectState(mailed, "point", /^13\.77\d*,45\.55\d*$/);
  });

  test("the calendar has the days of the scenes in view with their cloud, and a day is chosen by keys", async () => {
    const { page } = await enter("card=calendar");
    const days = page.locator(".day.has-data");
    await days.first().waitFor();
    const bbox = "13,45.3,14.5,45.8";
    const found = (await (
      await ask(`search?collections=sentinel-2-l2a&bbox=${bbox}&datetime=2024-07-01/2024-07-31`)
    ).json()) as { features: { properties: { datetime: string } }[] };
    const expected = [...new Set(found.features.map(({ properties }) => properties.datetime.slice(0, 10)))].sort();
    expect(await days.evaluateAll((all) => all.map((day) => (day as HTMLElement).dataset.day))).toEqual(expected);
    expect(await days.first().getAttribute("aria-label")).toMatch(/^4 July 2024: \d scenes?, \d+ % cloud, Sentinel-2/);
    await days.first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expectState(page, "dates", "2024-07-06/2024-07-06");
    await page.keyboard.press("Shift+PageUp");
    await page.getByRole("heading", { name: "July 2023" }).waitFor();
    await page.getByText("No scenes in view in this month.").waitFor();
    await page.getByRole("button", { name: "Back to 2024-07-01 to 2024-07-31" }).click();
    await expectState(page, "dates", "2024-07-01/2024-07-31");
  });

  test("distances and areas are measured by pointer and by keys, on the ellipsoid", async () => {
    const { page } = await enter("card=measure");
    await drawn(page);
    const { x, y } = await middle(page);
    const kilometres = async (): Promise<number> =>
      Number.parseFloat((await page.locator(".measured").textContent())?.replaceAll(",", "") ?? "");
    await page.getByRole("button", { name: "Distance" }).click();
    await page.getByText("Click the map, or move it").waitFor();
    await page.mouse.click(x - 200, y);
    await page.mouse.click(x + 200, y);
    await page.keyboard.press("Enter");
    // 400 pixels at zoom 9 are 400 / (512 * 2^9) of the circle of latitude; on WGS 84, by GeographicLib's GeodSolve: 42,895.4 m
    await expect.poll(kilometres, PATIENT).toBeCloseTo(42.9, 2);
    await page.getByRole("button", { name: "Area" }).click();
    await page.getByText("Click the map, or move it").waitFor();
    const steps = [
      [13.7, 45.5],
      [13.8, 45.5],
      [13.8, 45.6],
    ];
    for (const [lon, lat] of steps) {
      await goTo(page, new URL(page.url()).hash.slice(1).replace(/map=[^&]*/, `map=9/${lat}/${lon}`));
      await page.getByRole("button", { name: "Add the centre" }).click();
    }
    await page.getByRole("button", { name: "Finish" }).click();
    // by its Planimeter: 43,433,428.3 m²
    await expect.poll(kilometres, PATIENT).toBeCloseTo(43.43, 2);
  });

  test.each(LOOKS)("%s: curve, statistics and calendar have no faults of accessibility", async (_, look) => {
    const { page } = await enter(`tab=analysis&${YEARS}&${POLYGON}`, look);
    const check = async (shown: Locator): Promise<void> => {
      await shown.first().waitFor();
      expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    };
    await check(chart(page));
    await page.getByRole("radio", { name: "Statistics" }).check();
    await check(page.getByRole("table"));
    await page.getByRole("button", { name: "Calendar" }).click();
    await check(page.locator(".day.has-data"));
  });
});
