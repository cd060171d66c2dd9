import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";

/** The button that gives the page a key, or another one than it has. */
export function KeyButton(): JSX.Element {
  const explorer = useExplorer();
  const { credentials } = explorer.api;
  const [hasKey, setHasKey] = useState(credentials.hasKey);
  useEffect(() => credentials.onChange(() => setHasKey(credentials.hasKey)), [credentials]);
  const change = (): void => {
    explorer.person.key = undefined;
    const reload = (): void => location.reload();
    credentials.ask().then(reload, reload);
  };
  return (
    <button type="button" class="plain" onClick={() => (hasKey ? change() : void explorer.useKey())}>
      {hasKey ? "Change key" : "Use a key"}
    </button>
  );
}
