import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import { byteSize, count } from "../ui/format.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import type { ExtractForm } from "./extract-form.ts";
import { capUse, JOB_CAPS, MAX_SCENES, type Size, SYNC_CAPS, wayFor } from "./extract-plan.ts";

function scenesText(scene: string | undefined, scenes: number | undefined): string {
  if (scene !== undefined) return "Made of the one scene shown.";
  if (scenes === undefined) return "Made of the scenes in these dates.";
  if (scenes === 0) return "No scene of these dates covers the area.";
  return `${count(scenes)} scene${scenes === 1 ? "" : "s"} of these dates over the area; at most ${MAX_SCENES} are read.`;
}

function wayText(way: ReturnType<typeof wayFor>, scenes: string): string {
  if (way === "sync") return `Small enough to be made at once. ${scenes}`;
  if (way === "job") return `Too large to be made at once: it becomes a background job of up to 5 minutes. ${scenes}`;
  return "Too large even for a background job: choose larger pixels, fewer bands or a smaller area.";
}

function Caps({ size }: { readonly size: Size }): JSX.Element {
  const caps = wayFor(size) === "sync" ? SYNC_CAPS : JOB_CAPS;
  return (
    <dl class="caps">
      {capUse(size, caps).map(({ name, used, cap }) => (
        <>
          <dt>{name}</dt>
          <dd>{`${count(used)} of ${count(cap)}`}</dd>
          <dd>
            <meter min={0} max={cap} high={cap} value={Math.min(used, cap)} aria-label={name} />
          </dd>
        </>
      ))}
    </dl>
  );
}

function SizeFacts({ size, form }: { readonly size: Size; readonly form: ExtractForm }): JSX.Element {
  const scene = useExplorer().store.view.scene.value;
  const way = wayFor(size);
  const { width, height, bands, bytes } = size;
  return (
    <>
      <p class="size-line">
        <strong>{`${count(width)} × ${count(height)}`}</strong>
        {` pixels, ${bands} band${bands === 1 ? "" : "s"}, up to ${byteSize(bytes)}`}
      </p>
      <Caps size={size} />
      <p class={way === "none" ? "over" : "quiet"}>{wayText(way, scenesText(scene, form.scenes.value))}</p>
    </>
  );
}

/** The size of the file before it is asked for, beside the limits of the service. */
export function SizeBox({ form }: { readonly form: ExtractForm }): JSX.Element {
  const size = form.size.value;
  return (
    <div class="size" id="extract-size" role="status">
      {size.kind === "no bands" && <p>Choose at least one band.</p>}
      {size.kind === "problem" && <ProblemCard problem={size.problem} />}
      {size.kind === "size" && <SizeFacts size={size.size} form={form} />}
    </div>
  );
}
