import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { problemFrom } from "../../api/problem-from.ts";
import type { Answer } from "../../fields/ask-each.ts";
import type { Field } from "../../fields/read-fields.ts";
import type { Curve } from "../../series/curves.ts";
import { ProblemCard } from "../../ui/problem-card.tsx";
import type { Analysis } from "../analysis.ts";
import type { Result } from "../ask.ts";
import { Curves } from "./curve-results.tsx";
import { type Numbers, StatisticsOf } from "./statistics-results.tsx";

type Answers = ReadonlyMap<string, Answer<Result>>;

function curvesOf(places: readonly Field[], answers: Answers): readonly Curve[] {
  return places.flatMap(({ id, name }, number) => {
    const answer = answers.get(id);
    if (answer?.state !== "done" || answer.value.kind !== "series") return [];
    return [{ id, name, number, series: answer.value.series }];
  });
}

function numbersOf(places: readonly Field[], answers: Answers): readonly Numbers[] {
  return places.flatMap(({ id, name }, number) => {
    const answer = answers.get(id);
    if (answer?.state !== "done" || answer.value.kind !== "statistics") return [];
    return [{ id, name, number, statistics: answer.value.statistics }];
  });
}

/** The answers as charts and tables; the problem where one place alone was asked about in vain. */
export function Results({ analysis }: { readonly analysis: Analysis }): JSX.Element | null {
  const asked = analysis.asked.value;
  const answers = analysis.answers.value;
  const curves = useMemo(() => curvesOf(asked?.places ?? [], answers), [asked, answers]);
  if (asked === undefined) return null;
  const { question, places } = asked;
  const only = places.length === 1 ? answers.get(places[0]?.id ?? "") : undefined;
  if (only?.state === "failed") return <Failure analysis={analysis} error={only.error} />;
  const { chosen } = analysis;
  if (question.kind === "series") return <Curves curves={curves} question={question} chosen={chosen.value} />;
  return (
    <StatisticsOf
      all={numbersOf(places, answers)}
      question={question}
      chosen={chosen.value}
      onChoose={(id) => {
        chosen.value = id;
      }}
    />
  );
}

function Failure({ analysis, error }: { readonly analysis: Analysis; readonly error: unknown }): JSX.Element {
  const problem = problemFrom(error);
  return (
    <>
      <ProblemCard problem={problem} />
      {problem.status === 504 && <p>What was read is kept: asked again, the answer gets further.</p>}
      {problem.status !== 422 && (
        <button type="button" onClick={() => void analysis.ask()}>
          Ask again
        </button>
      )}
    </>
  );
}
