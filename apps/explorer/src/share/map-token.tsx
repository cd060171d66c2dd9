import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { isOwn, pageOf } from "../api/service-address.ts";
import { useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { DAYS, type MadeMap, makeMap, UNITS_A_DAY } from "./map-token.ts";
import type { ShareView } from "./share-view.ts";

interface MapTokenProps {
  readonly view: ShareView;
  readonly hasOwn: boolean;
  readonly onMade: (map: MadeMap) => void;
}

/** Makes a map token for the view, and says what one is and what it needs. */
export function MapToken({ view, hasOwn, onMade }: MapTokenProps): JSX.Element {
  const explorer = useExplorer();
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const make = async (): Promise<void> => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      onMade(await makeMap(explorer.api, view));
    } catch (error) {
      problem.value = problemFrom(error);
    }
    isBusy.value = false;
  };
  if (view.token !== undefined) {
    return (
      <p class="share-token" role="status">
        The addresses have a map token now, and need no key. Whoever has one sees this image for your units, for {DAYS}{" "}
        days. Copy what you need: the token is not shown again. <MapsLink text="End it" />
      </p>
    );
  }
  return (
    <div class="share-token">
      <p class="quiet">
        Leaflet, images and web pages send no key: they need a <em>map token</em> in the address, which shows this image
        alone, for at most {UNITS_A_DAY.toLocaleString("en")} of your units a day, for {DAYS} days.
      </p>
      {hasOwn ? (
        <button type="button" class="primary" disabled={isBusy.value} onClick={() => void make()}>
          {isBusy.value ? "Making it …" : "Make a map token"}
        </button>
      ) : (
        <p>
          A map token needs a key or an account.{" "}
          <button type="button" class="small" onClick={() => void explorer.useKey()}>
            Give a key
          </button>{" "}
          {explorer.hasAccounts && <MapsLink text="Sign in" />}
        </p>
      )}
      {problem.value !== undefined && <ProblemCard problem={problem.value} />}
      {problem.value !== undefined && !isOwn(explorer.api.base) && (
        <p>
          Some services make map tokens on their own pages alone. <MapsLink text="Make one there" />
        </p>
      )}
    </div>
  );
}

function MapsLink({ text }: { readonly text: string }): JSX.Element | null {
  const { api, hasAccounts } = useExplorer();
  return hasAccounts ? <a href={pageOf(api.base, "account")}>{text}</a> : null;
}
