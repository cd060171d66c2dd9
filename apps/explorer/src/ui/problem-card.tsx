import type { JSX } from "preact";
import type { Problem } from "../api/api-error.ts";

const words = (name: string): string => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

function Limits({ limits }: { readonly limits: Readonly<Record<string, number>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(limits).map(([name, value]) => (
        <>
          <dt>{words(name)}</dt>
          <dd>{value.toLocaleString("en")}</dd>
        </>
      ))}
    </dl>
  );
}

function Faults({ errors }: { readonly errors: NonNullable<Problem["errors"]> }): JSX.Element {
  return (
    <ul>
      {errors.map((error) => (
        <li key={error.pointer}>
          <code>{error.pointer}</code> {error.detail}
        </li>
      ))}
    </ul>
  );
}

/** A problem document as it came: title, code, detail, each fault with its pointer, limits, and the request id to quote. */
export function ProblemCard({ problem }: { readonly problem: Problem }): JSX.Element {
  const { title, detail, code, status, errors = [], limits, retryAfter, requestId, type } = problem;
  const faults = errors.filter((error) => errors.length > 1 || error.detail !== detail);
  const isAddress = type !== undefined && /^https?:/.test(type);
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {title}
        {code !== undefined && <code>{code}</code>}
        {status !== undefined && ` ${status}`}
      </p>
      {detail !== undefined && <p>{detail}</p>}
      {faults.length > 0 && <Faults errors={faults} />}
      {limits !== undefined && <Limits limits={limits} />}
      {retryAfter !== undefined && <p>Try again in {retryAfter} s.</p>}
      {(requestId !== undefined || type !== undefined) && (
        <p class="quiet">
          {requestId !== undefined && (
            <>
              Request <code>{requestId}</code>{" "}
            </>
          )}
          {isAddress && (
            <a href={type} target="_blank" rel="noopener">
              About this problem
            </a>
          )}
        </p>
      )}
    </div>
  );
}
