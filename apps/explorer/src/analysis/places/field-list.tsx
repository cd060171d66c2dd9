import type { JSX } from "preact";
import { problemFrom } from "../../api/problem-from.ts";
import { LineSample } from "../../charts/line-sample.tsx";
import type { Answer } from "../../fields/ask-each.ts";
import type { Field, FieldFault } from "../../fields/read-fields.ts";
import { rowsOf } from "../../statistics/rows.ts";
import type { Result } from "../ask.ts";
import { sizeText } from "./places.ts";

/** Describes the state of a field's answer. */
function stateText(answer: Answer<Result> | undefined): string {
  if (answer === undefined) return "";
  if (answer.state === "failed") return problemFrom(answer.error).detail ?? problemFrom(answer.error).title;
  if (answer.state !== "done") return { waiting: "waits", asking: "reading …", stopped: "stopped" }[answer.state];
  const { value } = answer;
  if (value.kind === "statistics") {
    const rows = rowsOf(value.statistics);
    return `${rows.filter(({ stats }) => stats.mean !== null).length} of ${rows.length} intervals have values`;
  }
  const { series } = value.series;
  return series.length === 0 ? "no scenes" : `${series.filter(({ value: each }) => each !== null).length} values`;
}

export interface FieldListProps {
  readonly fields: readonly Field[];
  readonly faults: readonly FieldFault[];
  readonly answers: ReadonlyMap<string, Answer<Result>>;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** The fields of a file with the state of their answers, and those that cannot be used with the reason. */
export function FieldList({ fields, faults, answers, chosen, onChoose }: FieldListProps): JSX.Element {
  return (
    <>
      <ul class="fields" aria-label="Fields">
        {fields.map((field, i) => (
          <li key={field.id}>
            <button
              type="button"
              class="field-button"
              aria-pressed={field.id === chosen}
              onClick={() => onChoose(field.id)}
            >
              <LineSample index={i} />
              <span class="field-name">{field.name}</span>
              <span class="quiet">{sizeText(field)}</span>
              <span class={answers.get(field.id)?.state === "failed" ? "field-state failed" : "field-state quiet"}>
                {stateText(answers.get(field.id))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {faults.length > 0 && (
        <details class="faults" open>
          <summary>
            {faults.length} {faults.length === 1 ? "feature" : "features"} of the file cannot be used
          </summary>
          <ul>
            {faults.map(({ name, reason }, i) => (
              <li key={`${name} ${i}`}>
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
