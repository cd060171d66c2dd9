import { type JSX, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { KeyQuestion } from "../api/credentials.ts";
import { isOnThisMachine, isOwn, pageOf, placeOf } from "../api/service-address.ts";
import { rememberView } from "../view/remembered-view.ts";
import { PrintedKey } from "./printed-key.tsx";

interface DialogProps extends KeyQuestion {
  /** Address of the service that the key is for. */
  readonly service: URL;
  readonly onDone: (key: string | undefined) => void;
}

function Purpose({ service, canDismiss }: Pick<DialogProps, "service" | "canDismiss">): JSX.Element {
  return (
    <p id="key-note">
      {canDismiss ? (
        <>
          Reading values and extracting areas need a key.{" "}
          {isOnThisMachine(service) && (
            <>
              <PrintedKey />{" "}
            </>
          )}
          <a href={pageOf(service, "account")} onClick={rememberView}>
            Make one
          </a>
          .{" "}
        </>
      ) : (
        <>
          Searching and rendering need a key. <PrintedKey />{" "}
        </>
      )}
      It is kept in this tab until you close it, and sent in a header only
      {isOwn(service) ? (
        "."
      ) : (
        <>
          , to <strong>{placeOf(service)}</strong> alone. Give no key that you have from another service.
        </>
      )}
    </p>
  );
}

function KeyInput({ onValue }: { readonly onValue: (value: string) => void }): JSX.Element {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <label for="key">Key</label>
      <input
        id="key"
        {...(isShown ? { type: "text" } : { type: "password" })}
        name="key"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        required
        aria-describedby="key-note"
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <label class="check" for="key-show">
        <input
          type="checkbox"
          id="key-show"
          checked={isShown}
          onChange={(event) => setShown(event.currentTarget.checked)}
        />
        Show the key
      </label>
    </>
  );
}

function KeyDialog({ service, reason, canDismiss, onDone }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const given = useRef("");
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("#key")?.focus();
  }, []);
  const closed = (): void => {
    const isGiven = dialog.current?.returnValue === "given" && given.current.trim() !== "";
    // without a key there may be nothing behind the dialog to go back to
    if (!isGiven && !canDismiss) dialog.current?.showModal();
    else onDone(isGiven ? given.current.trim() : undefined);
  };
  return (
    <dialog
      ref={dialog}
      class="key-dialog"
      aria-labelledby="key-title"
      onClose={closed}
      onCancel={(event) => {
        if (!canDismiss) event.preventDefault();
      }}
    >
      <form method="dialog">
        <h2 id="key-title">Your API key</h2>
        <Purpose service={service} canDismiss={canDismiss} />
        {reason !== undefined && (
          <p class="key-rejected" role="alert">
            {reason}
          </p>
        )}
        <KeyInput
          onValue={(value) => {
            given.current = value;
          }}
        />
        <div class="row end">
          {canDismiss && (
            <button type="button" onClick={() => dialog.current?.close("dismissed")}>
              Not now
            </button>
          )}
          <button class="primary" type="submit" value="given">
            Continue
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Prompts for a key of a service; undefined where the dialog is closed without one. */
export function askForKey(service: URL, question: KeyQuestion): Promise<string | undefined> {
  return new Promise((resolve) => {
    const place = document.createElement("div");
    document.body.append(place);
    const done = (key: string | undefined): void => {
      render(null, place);
      place.remove();
      resolve(key);
    };
    render(<KeyDialog {...question} service={service} onDone={done} />, place);
  });
}
