import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { isNightly } from "../../../test/tools/searches.ts";
import { DESKTOP, PHONE } from "./visitor.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Sizes and schemes that a page is looked at in: each of both, in the nightly run each size in each scheme. */
export const LOOKS = [
  ["desktop, light", { ...DESKTOP, colorScheme: "light" }],
  ["phone, dark", { ...PHONE, colorScheme: "dark" }],
  ...(isNightly
    ? ([
        ["desktop, dark", { ...DESKTOP, colorScheme: "dark" }],
        ["phone, light", { ...PHONE, colorScheme: "light" }],
      ] as const)
    : []),
] as const;
/** Smallest side of what is clicked or tapped, CSS pixels (WCAG 2.2, 2.5.8). */
const SMALLEST = 24;

/** Faults against WCAG 2.2 A and AA and axe's best practices, as lines. */
export async function faultsOf(page: Page): Promise<string[]> {
  // half a megabyte of code, once for each document
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  // only faults are wanted: for what passes axe would look for a selector of each element
  const { violations } = await page.evaluate<AxeResults>(() =>
    (globalThis as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // measured below for every target, also for those that are scrolled under the tabs just now
      rules: { "target-size": { enabled: false } },
      resultTypes: ["violations"],
    }),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
  );
}

/** Things to click or tap that are smaller than they should be; a control inside a label is as large as its label. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((smallest) => {
    // the link past the panel is there for the keyboard alone until it has the focus
    const shown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && !element.matches(".skip:not(:focus)");
    return [...document.querySelectorAll("a[href], button, input, select, summary, [role=tab]")]
      .filter(shown)
      .flatMap((element) => {
        const target = element.matches("input[type=checkbox], input[type=radio]")
          ? (element.closest("label") ?? element)
          : element;
        const { width, height } = target.getBoundingClientRect();
        return width < smallest || height < smallest ? [`${element.outerHTML.slice(0, 120)} ${width} × ${height}`] : [];
      });
  }, SMALLEST);
