import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";
import { TAB_TOOLS } from "../tools.ts";
import { LazyRoom } from "../ui/lazy-room.tsx";
import { TABS, type Tab } from "../view/view.ts";

function TabPanel({ tab }: { readonly tab: Tab }): JSX.Element {
  const isActive = useExplorer().store.view.tab.value === tab;
  const tool = TAB_TOOLS[tab];
  return (
    <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} class="tab-panel" hidden={!isActive}>
      <p class="quiet hint">{tool.hint}</p>
      <LazyRoom tool={tool} isActive={isActive} />
    </div>
  );
}

/** Tabs by the ARIA pattern: arrow keys go from one to the next, only the chosen one is in the tab order. */
export function Tabs(): JSX.Element {
  const { store } = useExplorer();
  const section = useRef<HTMLElement>(null);
  const shown = store.view.tab.value;
  const wasShown = useRef<Tab>("scenes");
  useLayoutEffect(() => {
    // what a tool has to say would begin below the fold
    if (shown !== wasShown.current) section.current?.scrollIntoView();
    wasShown.current = shown;
  }, [shown]);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = (TABS.indexOf(shown) + by + TABS.length) % TABS.length;
    section.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus({ preventScroll: true });
    store.set({ tab: TABS[next] as Tab });
  };
  return (
    <section class="tabs" ref={section}>
      <div role="tablist" aria-label="Tools">
        {TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-controls={`panel-${tab}`}
            aria-selected={tab === shown}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => store.set({ tab })}
            onKeyDown={step}
          >
            {TAB_TOOLS[tab].title}
          </button>
        ))}
      </div>
      {TABS.map((tab) => (
        <TabPanel key={tab} tab={tab} />
      ))}
    </section>
  );
}
