import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENT } from "./visitor.ts";

const CONTROLS =
  "a[href], button, summary, select, input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, label:has(> input[type=radio]), label:has(> input[type=checkbox])";
/** Least contrast of text, of large text, and of what shows the focus (WCAG 2.2, 1.4.3 and 1.4.11). */
const LEAST = { text: 4.5, large: 3, focus: 3 };

type State = "hover" | "focus";

/**
 * Forces pseudo-classes on all controls in a part of the page at once, as developer tools do; returns how to end it. Where
 * controls come or go meanwhile it begins anew: the page has them all when they stay the same.
 */
async function force(page: Page, state: State, part: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const forcedPseudoClasses = state === "hover" ? ["hover"] : ["focus", "focus-visible"];
  // once: each call gives all nodes new numbers
  const { root } = await session.send("DOM.getDocument", { depth: 0 });
  const controls = async (): Promise<number[]> => {
    const all = `${CONTROLS}, input[type=radio], input[type=checkbox], input[type=range]`;
    const selector = `:is(${part}) :is(${all})`;
    return (await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector })).nodeIds;
  };
  const isForced = async (nodeIds: readonly number[]): Promise<boolean> => {
    try {
      const forced = nodeIds.map((nodeId) => session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses }));
      const [fault] = (await Promise.allSettled(forced)).filter(({ status }) => status === "rejected");
      if (fault?.status === "rejected") throw fault.reason;
      return (await controls()).join() === nodeIds.join();
    } catch (error) {
      if (String(error).includes("Could not find node")) return false;
      throw error;
    }
  };
  await expect.poll(async () => isForced(await controls()), PATIENT).toBe(true);
  return () => session.detach();
}

/**
 * Faults of contrast of every visible control in a part of the page while the pointer is on it, or while it has the focus, as
 * lines.
 */
export async function contrastFaults(page: Page, state: State, part = "body"): Promise<string[]> {
  const end = await force(page, state, part);
  const faults = await page.evaluate(
    ({ controls, least, state: forced, part: within }) => {
      type Color = readonly [red: number, green: number, blue: number, alpha: number];
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const known = new Map<string, Color>();
      const parse = (text: string): Color => {
        const before = known.get(text);
        if (before !== undefined) return before;
        if (canvas === null) throw new Error("There is no canvas to read colours with.");
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
        const color = [r, g, b, a / 255] as const;
        known.set(text, color);
        return color;
      };
      const over = ([r, g, b, a]: Color, [x, y, z]: Color): Color => [
        r * a + x * (1 - a),
        g * a + y * (1 - a),
        b * a + z * (1 - a),
        1,
      ];
      const behind = (element: Element | null): Color => {
        if (element === null) return [255, 255, 255, 1];
        const own = parse(getComputedStyle(element).backgroundColor);
        return own[3] >= 0.999 ? own : over(own, behind(element.parentElement));
      };
      const light = ([r, g, b]: Color): number => {
        const [x = 0, y = 0, z = 0] = [r, g, b].map((level) => {
          const share = level / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
      };
      const contrast = (a: Color, b: Color): number => {
        const [low = 0, high = 0] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
      };
      const isShown = (element: Element): boolean =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const named = (element: Element): string => element.outerHTML.slice(0, 90).replace(/\s+/g, " ");
      const textFaults = (element: Element): string[] => {
        const parts = [element, ...element.querySelectorAll("*")].filter((each) =>
          [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ""),
        );
        return parts.filter(isShown).flatMap((part) => {
          const style = getComputedStyle(part);
          if (style.clipPath !== "none") return [];
          const size = Number.parseFloat(style.fontSize);
          const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
          const back = behind(part);
          const found = contrast(over(parse(style.color), back), back);
          return found < (isLarge ? least.large : least.text) ? [`${named(part)}: text ${found.toFixed(2)}`] : [];
        });
      };
      const ringFaults = (element: Element): string[] => {
        const target = element.matches("label") ? (element.querySelector("input") ?? element) : element;
        // a ring is drawn around the control, or around what stands for it
        const drawn = [target, target.nextElementSibling ?? target].filter((each) => {
          const style = getComputedStyle(each);
          return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1;
        });
        const [ring] = drawn;
        if (ring === undefined) return [`${named(element)}: no ring`];
        const style = getComputedStyle(ring);
        const isInside = Number.parseFloat(style.outlineOffset) < 0;
        const back = behind(isInside ? ring : ring.parentElement);
        const found = contrast(over(parse(style.outlineColor), back), back);
        return found < least.focus ? [`${named(element)}: ring ${found.toFixed(2)}`] : [];
      };
      return [...document.querySelectorAll(`:is(${within}) :is(${controls})`)]
        .filter((element) => isShown(element) && !element.matches(":disabled, :has(> :disabled)"))
        .filter((element) => document.querySelector("dialog[open]")?.contains(element) ?? true)
        .flatMap((element) => (forced === "hover" ? textFaults(element) : ringFaults(element)));
    },
    { controls: CONTROLS, least: LEAST, state, part },
  );
  await end();
  return faults;
}
