import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { dayAndTime, platformName } from "../ui/format.ts";
import type { Previews } from "./previews.ts";

/** The preview of an item: fetched when its place comes into sight. */
function Preview({ item, previews }: { readonly item: Item; readonly previews: Previews }): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  const [source, setSource] = useState<string | undefined>(undefined);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      previews.url(item).then(setSource, () => setMissing(true));
    });
    if (image.current !== null) seen.observe(image.current);
    return () => seen.disconnect();
  }, [item, previews]);
  return (
    <span class={isMissing ? "thumb missing" : "thumb"}>
      <img ref={image} alt="" width={64} height={64} {...(source === undefined ? {} : { src: source })} />
    </span>
  );
}

function Cloud({ cover }: { readonly cover: number | undefined }): JSX.Element {
  if (cover === undefined) return <span class="cloud">cloud cover unknown</span>;
  return (
    <span class="cloud">
      {cover < 10 && cover >= 0.05 ? cover.toFixed(1) : Math.round(cover)} % cloud
      <meter min={0} max={100} value={cover} aria-hidden="true" />
    </span>
  );
}

/** One scene of the list: chosen by a click, marked together with its footprint on the map. */
export function SceneEntry({ item, previews }: { readonly item: Item; readonly previews: Previews }): JSX.Element {
  const explorer = useExplorer();
  const { hovered } = explorer.scenes;
  const button = useRef<HTMLButtonElement>(null);
  const isChosen = explorer.store.view.scene.value === item.id;
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const hover = (): void => {
    hovered.value = item.id;
  };
  const leave = (): void => {
    hovered.value = undefined;
  };
  return (
    <li>
      <button
        ref={button}
        type="button"
        class={hovered.value === item.id ? "scene hovered" : "scene"}
        data-scene={item.id}
        aria-pressed={isChosen}
        onClick={() => explorer.choose(isChosen ? undefined : item)}
        onMouseEnter={hover}
        onMouseLeave={leave}
        onFocus={hover}
        onBlur={leave}
      >
        <Preview item={item} previews={previews} />
        <span class="scene-facts">
          <strong>{dayAndTime(item.properties.datetime)}</strong>
          <span>{platformName(item.properties.platform)}</span>
          <span class="scene-id">{item.id}</span>
          <Cloud cover={item.properties["eo:cloud_cover"]} />
        </span>
      </button>
    </li>
  );
}
