import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Analysis } from "./analysis.ts";

/** Seconds after which it is said how long an answer may take. */
const LONG_S = 4;

/** Seconds since the component was shown. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** Shows the progress of the answers, with a button that stops what is left. */
export function Progress({ analysis }: { readonly analysis: Analysis }): JSX.Element {
  const seconds = useSeconds();
  const total = analysis.places.value.length;
  const ended = [...analysis.answers.value.values()].filter(({ state }) => state === "done" || state === "failed");
  const isOne = total <= 1;
  return (
    <div class="asking">
      <p role="status">
        {isOne ? "Reading the scenes …" : `${ended.length} of ${total} fields are read …`}
        {isOne && seconds >= LONG_S && " The service answers within half a minute."}
      </p>
      <progress {...(isOne ? {} : { max: total, value: ended.length })} aria-label="Progress of the answers" />
      <button type="button" class="small" onClick={() => analysis.stop()}>
        Stop
      </button>
    </div>
  );
}
