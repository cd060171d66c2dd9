import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { copyText } from "../ui/copy-text.ts";
import { needOf, type Snippet } from "./code/snippets.ts";
import type { ShareView } from "./share-view.ts";

interface CodeRowProps {
  readonly snippet: Snippet;
  readonly view: ShareView;
}

/** One program's code: copied by a button, or opened to be read. */
export function CodeRow({ snippet, view }: CodeRowProps): JSX.Element {
  const { id, title, hint, code } = snippet;
  const said = useSignal("");
  const isOpen = useSignal(false);
  const shown = useRef<HTMLElement>(null);
  const text = code(view);
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      said.value = "Copied.";
    } catch {
      isOpen.value = true;
      said.value = "The browser does not let this page copy. The code is selected: copy it by hand.";
      setTimeout(() => shown.current !== null && getSelection()?.selectAllChildren(shown.current), 0);
    }
  };
  const need = needOf(snippet, view);
  return (
    <li>
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>{title}</summary>
        <p class="quiet">
          {hint}. {need}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys */}
        <section id={`code-${id}`} ref={shown} tabIndex={0} aria-label={`Code for ${title}`}>
          <pre>{text}</pre>
        </section>
      </details>
      <button type="button" class="small" aria-label={`Copy ${title}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" class="quiet">
        {said.value}
      </span>
    </li>
  );
}
