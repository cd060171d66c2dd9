import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import type { CardTool } from "../tool.ts";
import { CARD_TOOLS } from "../tools.ts";
import { LazyRoom } from "../ui/lazy-room.tsx";
import { CARDS, type Card } from "../view/view.ts";

function CardButton({ id, tool }: { readonly id: Card; readonly tool: CardTool }): JSX.Element {
  const { store } = useExplorer();
  const isOpen = store.view.card.value === id;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={`card-${id}`}
      title={tool.hint}
      onClick={() => store.set({ card: isOpen ? undefined : id })}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={tool.icon} />
      </svg>
      <span class="hidden">{tool.title}</span>
    </button>
  );
}

function OpenCard({ id, tool }: { readonly id: Card; readonly tool: CardTool }): JSX.Element {
  const { store } = useExplorer();
  const isOpen = store.view.card.value === id;
  return (
    <section class="card" id={`card-${id}`} aria-label={tool.title} hidden={!isOpen}>
      <header>
        <h2>{tool.title}</h2>
        <button
          type="button"
          class="close"
          aria-label={`Close ${tool.title}`}
          onClick={() => {
            store.set({ card: undefined });
            // a hidden button loses the focus
            document.querySelector<HTMLElement>(`[aria-controls="card-${id}"]`)?.focus();
          }}
        >
          ×
        </button>
      </header>
      <LazyRoom tool={tool} isActive={isOpen} />
    </section>
  );
}

/** The buttons of the map's cards, and the card that is open. */
export function CardBar(): JSX.Element | null {
  const tools: readonly (readonly [Card, CardTool])[] = CARDS.map((id) => [id, CARD_TOOLS[id]]);
  if (tools.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons are no set of form fields */}
      <div class="card-bar" role="group" aria-label="Tools of the map">
        {tools.map(([id, tool]) => (
          <CardButton key={id} id={id} tool={tool} />
        ))}
      </div>
      {tools.map(([id, tool]) => (
        <OpenCard key={id} id={id} tool={tool} />
      ))}
    </>
  );
}
