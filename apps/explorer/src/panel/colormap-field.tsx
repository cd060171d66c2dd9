import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";

interface ColormapProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A colormap of the service; its list is asked for when the field is first reached. */
export function ColormapField({ value, onValue }: ColormapProps): JSX.Element {
  const { api } = useExplorer();
  const [names, setNames] = useState<readonly string[]>([]);
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    api.json<{ readonly colormaps?: readonly string[] }>("v1/schema", { need: "documents" }).then(
      ({ colormaps = [] }) => setNames(colormaps),
      // asked for again at the next visit of the field
      () => setWanted(false),
    );
  }, [api, isWanted]);
  const all = value === "" || names.includes(value) ? names : [value, ...names];
  return (
    <div class="field">
      <label for="custom-colormap">Colours (one value)</label>
      <select
        id="custom-colormap"
        value={value}
        onFocus={() => setWanted(true)}
        onPointerEnter={() => setWanted(true)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        <option value="">Grey</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
