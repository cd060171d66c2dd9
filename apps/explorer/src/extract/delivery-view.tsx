import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { byteSize } from "../ui/format.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import type { Delivery, DeliveryState } from "./delivery.ts";

type File = Extract<DeliveryState, { kind: "file" }>;

function FileLink({ href, name, bytes, scenes, isSaved }: File): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null);
  // each file is saved once, and has an address of its own
  useEffect(() => {
    if (isSaved) link.current?.click();
  }, [href]);
  return (
    <>
      <p role="status">
        Ready: <span class="file">{name}</span>
      </p>
      <a class="button primary wide" href={href} download={name} ref={link}>
        Save the GeoTIFF{bytes === undefined ? "" : ` (${byteSize(bytes)})`}
      </a>
      {scenes.length > 0 && <p class="quiet">Made of {scenes.join(", ")}.</p>}
    </>
  );
}

function Progress({ text, part }: { readonly text: string; readonly part?: number | undefined }): JSX.Element {
  return (
    <>
      <label for="delivery-progress" aria-live="polite">
        {text}
      </label>
      <progress id="delivery-progress" max={1} {...(part === undefined ? {} : { value: part })} />
    </>
  );
}

/** Shows how far a request for a file has come. */
export function DeliveryView({ delivery }: { readonly delivery: Delivery }): JSX.Element {
  const state = delivery.state.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.kind === "progress" || state.kind === "file") box.current?.scrollIntoView({ block: "nearest" });
  }, [state.kind]);
  return (
    <div class="delivery" ref={box}>
      {state.kind === "progress" && <Progress {...state} />}
      {state.kind === "file" && <FileLink {...state} />}
      {state.kind === "problem" && <ProblemCard problem={state.problem} />}
    </div>
  );
}
