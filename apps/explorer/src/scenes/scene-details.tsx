import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";

type Words = typeof import("./scene-metadata.tsx");

/** The code that knows the words for properties, which is loaded when it is first wanted. */
function useWords(isWanted: boolean): Words | Problem | undefined {
  const [words, setWords] = useState<Words | Problem | undefined>(undefined);
  useEffect(() => {
    if (isWanted) import("./scene-metadata.tsx").then(setWords, (error: unknown) => setWords(problemFrom(error)));
  }, [isWanted]);
  return words;
}

/** The metadata of the scene that is shown alone, and its files. */
export function SceneDetails(): JSX.Element | null {
  const { api, shown } = useExplorer();
  const item = shown.value;
  const words = useWords(item !== undefined);
  if (item === undefined || words === undefined) return null;
  if ("title" in words) return <ProblemCard problem={words} />;
  const { SceneMetadata, SceneFiles } = words;
  const values = Object.values(item.properties).filter((value) => value !== null && value !== undefined);
  const address = api.address(`v1/collections/${item.collection}/items/${encodeURIComponent(item.id)}`);
  return (
    <section class="details" aria-label="The scene that is shown">
      <details>
        <summary>Metadata ({values.length})</summary>
        <SceneMetadata item={item} />
      </details>
      <details>
        <summary>Files ({Object.keys(item.assets).length})</summary>
        <SceneFiles item={item} />
      </details>
      <a href={address} target="_blank" rel="noopener">
        As STAC item
      </a>
    </section>
  );
}
