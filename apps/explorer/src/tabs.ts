import { h } from "./dom.ts";
import { type Store, TABS, type Tab } from "./state.ts";

const TITLES: Readonly<Record<Tab, string>> = { scenes: "Scenes", values: "Values", download: "Download" };

/** Tabs by the ARIA pattern: arrow keys go from one to the next, only the chosen one is in the tab order. */
export function tabs(store: Store, contents: Readonly<Record<Tab, readonly Node[]>>): HTMLElement {
  const buttons = TABS.map((tab) =>
    h("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}` }, TITLES[tab]),
  );
  const panels = TABS.map((tab) =>
    h(
      "div",
      { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, class: "tab-panel" },
      contents[tab],
    ),
  );
  const show = (): void => {
    TABS.forEach((tab, i) => {
      const isShown = tab === store.state.tab;
      buttons[i]?.setAttribute("aria-selected", String(isShown));
      buttons[i]?.setAttribute("tabindex", isShown ? "0" : "-1");
      panels[i]?.toggleAttribute("hidden", !isShown);
    });
  };
  buttons.forEach((button, i) => {
    button.addEventListener("click", () => store.set({ tab: TABS[i] as Tab }));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = (i + step + TABS.length) % TABS.length;
      store.set({ tab: TABS[next] as Tab });
      buttons[next]?.focus();
    });
  });
  store.on(["tab"], show);
  show();
  return h("section", { class: "tabs" }, h("div", { role: "tablist", "aria-label": "Tools" }, buttons), panels);
}
