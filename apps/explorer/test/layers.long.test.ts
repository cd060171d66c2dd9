import "./provided.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { drawn, expectState, PATIENT, type Served, stateOf, tilesOf, useVisits, type Visit } from "./visitor.ts";

const VALLEY = "dates=2023-05-16/2023-05-16&map=13/45.7503/12.2533";

describe.skipIf(!hasChromium)("places, layers and own images", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Served;
  beforeAll(async () => {
    service = await visits.common();
  }, 600_000);

  const enter = async (hash: string): Promise<Visit> => {
    const visited = await visits.enter(service, { hash, waits: false });
    await drawn(visited.page);
    return visited;
  };

  test("a place is found by its name or coordinates, and the map goes there", async () => {
    const { page } = await enter(`preset=true-color&card=search&${VALLEY}`);
    const field = page.getByLabel("Name, or latitude and longitude");
    await field.fill("treviso");
    await page
      .getByRole("list", { name: "Places found" })
      .getByRole("button", { name: /^Treviso/ })
      .click();
    await expectState(page, "map", /\/45\.6\d*\/12\.2\d*$/);
    await field.fill("46.05, 14.51");
    await page.keyboard.press("Enter");
    await expectState(page, "map", /\/46\.05\/14\.51$/);
    // whoever opens the card types at once, and goes on where it was opened
    await page.getByRole("button", { name: "Close Places" }).click();
    const button = page.getByRole("button", { name: "Places", exact: true });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await expect.poll(() => field.evaluate((element) => element === document.activeElement), PATIENT).toBe(true);
  });

  test("a hillshade lies below the imagery, which lets it shine through, and names can be left out", async () => {
    const { page, requests } = await enter(`preset=true-color&card=layers&${VALLEY}`);
    const plain = await page.locator("#map").screenshot();
    await page.getByLabel("Hillshade below").check();
    await expectState(page, "relief", "on");
    await expectState(page, "opacity", "65");
    await expect
      .poll(() => tilesOf(requests).some(({ pathname }) => pathname.includes("/hillshade/")), PATIENT)
      .toBe(true);
    await drawn(page);
    const isPlain = async (): Promise<boolean> => (await page.locator("#map").screenshot()).equals(plain);
    await expect.poll(isPlain, PATIENT).toBe(false);
    await page.getByLabel("Opacity of the imagery").fill("30");
    await expectState(page, "opacity", "30");
    await page.getByLabel("Borders and names").check();
    await expectState(page, "names", "on");
  });

  test("an index is chosen from the list, and Back and Forward walk the views", async () => {
    const { page, requests } = await enter(`preset=true-color&${VALLEY}`);
    await page.getByLabel("Index", { exact: true }).selectOption("index-nbr");
    await expectState(page, "preset", "index-nbr");
    await expect
      .poll(() => tilesOf(requests).some(({ pathname }) => pathname.includes("/index-nbr/")), PATIENT)
      .toBe(true);
    await page.goBack();
    await expectState(page, "preset", "true-color");
    await page.goForward();
    await expectState(page, "preset", "index-nbr");
  });

  test("an index of the schema's long list is found by a word, and by an address", async () => {
    const { page, requests } = await enter(`preset=true-color&${VALLEY}`);
    const list = page.getByLabel("Index", { exact: true });
    const usual = await list.locator("option").count();
    expect(usual).toBe(13);
    await page.getByText("More indices").click();
    await page.getByLabel("Find an index").fill("atmospherically visible");
    await list.selectOption("index-vari");
    await expectState(page, "preset", "index-vari");
    await expect
      .poll(() => tilesOf(requests).some(({ pathname }) => pathname.includes("/index-vari/")), PATIENT)
      .toBe(true);
    const named = await enter(`preset=index-gemi&${VALLEY}`);
    await expectState(named.page, "preset", "index-gemi");
    expect(await named.page.getByLabel("Index", { exact: true }).inputValue()).toBe("index-gemi");
  });

  test("an expression of one's own is drawn, and an image is stretched to what is in view", async () => {
    const { page, requests } = await enter(`preset=true-color&card=layers&${VALLEY}`);
    await page.getByText("Own bands or expression").click();
    await page.getByLabel("One band, three bands, or an expression").fill("(green - nir) / (green + nir)");
    await page.getByLabel("Shown values (empty: usual)").fill("-0.5, 0.5");
    await page.getByRole("button", { name: "Draw it" }).click();
    await expectState(page, "expression", "(green - nir) / (green + nir)");
    await expect
      .poll(() => tilesOf(requests).at(-1)?.searchParams.get("expression"), PATIENT)
      .toBe("(green - nir) / (green + nir)");
    const own = stateOf(page).get("rescale");
    await page.getByRole("button", { name: "Stretch to what is in view (2 to 98 %)" }).click();
    await expectState(page, "rescale", /^-?\d/);
    await expect.poll(() => stateOf(page).get("rescale"), PATIENT).not.toBe(own);
  });
});
