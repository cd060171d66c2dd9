import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Headers } from "../../api/credentials.ts";
import { pointsOf, sensorsOf } from "../../series/curves.ts";
import { SeriesLegend, toggled } from "../../series/series-legend.tsx";
import { SeriesView } from "../../series/series-view.tsx";
import { ProblemCard } from "../../ui/problem-card.tsx";
import { apiWith } from "../api-with.ts";
import { attempt } from "../attempt.ts";
import type { Days } from "../attributes.ts";
import type { Credential, Values } from "../part.ts";
import { roomOf } from "../room.tsx";
import { useAnswer } from "../use-answer.ts";
import styles from "./curve.css?inline";
import { type CurveAnswer, type CurveRequest, quantityText, readCurve, spanOf, takeCurve } from "./curve-request.ts";

function headersOf(credential: Credential | undefined): Headers {
  if (credential === undefined) return {};
  return "key" in credential ? { "X-API-Key": credential.key } : { Authorization: `Bearer ${credential.token}` };
}

/** A request, and the key or token for the service that it names. */
interface Question {
  readonly request: CurveRequest;
  readonly credential: Credential | undefined;
}

async function ask({ request: { api, url }, credential }: Question, signal: AbortSignal): Promise<CurveAnswer> {
  const sender = api === undefined ? apiWith(new URL("/", url)) : apiWith(new URL(api), headersOf(credential));
  return takeCurve(await sender.json<unknown>(url, { signal }));
}

interface ChartProps {
  readonly name: string;
  readonly answer: CurveAnswer;
  readonly days: Days | undefined;
}

/** The chart with its legend and the credit for its images. */
function Chart({ name, answer, days }: ChartProps): JSX.Element {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const curves = useMemo(() => [{ id: "curve", name, number: 0, series: answer }], [name, answer]);
  const sensors = useMemo(() => sensorsOf(pointsOf(curves)), [curves]);
  const span = days ?? spanOf(answer);
  if (span === undefined || answer.series.length === 0) return <p role="status">No scenes in these dates.</p>;
  return (
    <>
      <SeriesView
        title={`${name}, ${quantityText(answer)}`}
        curves={curves}
        sensors={sensors}
        hidden={hidden}
        scene={undefined}
        {...span}
      />
      <SeriesLegend
        curves={curves}
        sensors={sensors}
        isApart={false}
        hidden={hidden}
        onToggle={(key) => setHidden(toggled(hidden, key))}
      />
      {answer.attribution.length > 0 && <p class="quiet">{answer.attribution.join(" · ")}</p>}
    </>
  );
}

/** The curve of a place, from an answer of `/v1/timeseries`. */
function Curve({ attributes, credential }: Values): JSX.Element {
  const asked = attempt(() => readCurve(attributes, document.baseURI));
  const request = asked.value;
  const { answer, problem } = useAnswer(request === undefined ? undefined : { request, credential }, ask);
  const fault = asked.problem ?? problem;
  const name = attributes("label") ?? "Curve";
  return (
    <figure class="curve" aria-label={name}>
      <figcaption>{answer === undefined || fault !== undefined ? name : `${name}: ${quantityText(answer)}`}</figcaption>
      {fault !== undefined && <ProblemCard problem={fault} />}
      {fault === undefined && answer === undefined && <p role="status">Loading …</p>}
      {fault === undefined && answer !== undefined && <Chart name={name} answer={answer} days={request?.days} />}
    </figure>
  );
}

export const room = roomOf(Curve, styles);
