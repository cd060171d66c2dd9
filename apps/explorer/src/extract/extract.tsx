import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AreaTools } from "../draw/area-tools.tsx";
import { useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { Delivery } from "./delivery.ts";
import { DeliveryView } from "./delivery-view.tsx";
import { ExtractForm } from "./extract-form.ts";
import { processRequest, wayFor } from "./extract-plan.ts";
import { Options } from "./options.tsx";
import { SizeBox } from "./size-box.tsx";

interface SendProps {
  readonly form: ExtractForm;
  readonly isSending: boolean;
  readonly asJob: boolean;
  readonly onJob: (yes: boolean) => void;
}

function Send({ form, isSending, asJob, onJob }: SendProps): JSX.Element {
  const size = form.size.value;
  const way = size.kind === "size" ? wayFor(size.size) : "none";
  const isJob = way === "job" || (way === "sync" && asJob);
  return (
    <>
      <label class="check" for="extract-job">
        <input
          type="checkbox"
          id="extract-job"
          checked={isJob}
          disabled={way !== "sync"}
          onChange={(event) => onJob(event.currentTarget.checked)}
        />
        Make it in the background
      </label>
      <button type="submit" class="primary wide" disabled={way === "none" || isSending} aria-describedby="extract-size">
        {isJob ? "Make the GeoTIFF in the background" : "Get GeoTIFF"}
      </button>
    </>
  );
}

/** The form that extracts an area as a GeoTIFF: area, bands, size, options, and the finished file. */
export function Extract({ isActive }: ToolProps): JSX.Element {
  const explorer = useExplorer();
  const { store, api } = explorer;
  const [form] = useState(() => new ExtractForm(explorer));
  const [delivery] = useState(() => new Delivery(api));
  const [asJob, setAsJob] = useState(false);
  const [isSending, setSending] = useState(false);
  useEffect(() => delivery.resume(), [delivery]);
  useEffect(() => (isActive ? form.follow() : undefined), [form, isActive]);
  const submit = async (): Promise<void> => {
    const state = explorer.asked.peek();
    const size = form.size.value;
    if (state.area === undefined || size.kind !== "size") return;
    setSending(true);
    const isJob = asJob || wayFor(size.size) === "job";
    await delivery.order(processRequest(state, state.area, form.choice.value), isJob);
    setSending(false);
  };
  return (
    <div>
      <form
        class="extract"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <AreaTools name="extract" isActive={isActive} purpose="extract" />
        {store.view.area.value !== undefined && (
          <div>
            <Options form={form} />
            <SizeBox form={form} />
            <Send form={form} isSending={isSending} asJob={asJob} onJob={setAsJob} />
          </div>
        )}
      </form>
      <DeliveryView delivery={delivery} />
    </div>
  );
}
