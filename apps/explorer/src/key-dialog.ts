import { h } from "./dom.ts";

export interface KeyQuestion {
  /** The reason why a key is asked for now; absent: at the start. */
  readonly reason?: string;
  /** Whether there is something to see without a key, so that the dialog can be closed. */
  readonly canDismiss: boolean;
}

/** Prompts for a key; undefined where the dialog is closed without one. */
export function askForKey({ reason, canDismiss }: KeyQuestion): Promise<string | undefined> {
  return new Promise((resolve) => {
    const input = h("input", {
      id: "key",
      type: "password",
      name: "key",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      required: true,
      "aria-describedby": "key-note",
    });
    const show = h("input", { type: "checkbox", id: "key-show" });
    show.addEventListener("change", () => {
      input.type = show.checked ? "text" : "password";
    });
    const dismiss = h("button", { type: "button" }, "Not now");
    dismiss.addEventListener("click", () => dialog.close("dismissed"));
    const dialog = h(
      "dialog",
      { class: "key-dialog", "aria-labelledby": "key-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "key-title" }, "Your API key"),
        h(
          "p",
          { id: "key-note" },
          canDismiss
            ? ["Reading values and extracting areas need a key. ", h("a", { href: "/account" }, "Make one"), ". "]
            : [
                "Searching and rendering need a key. A service started with ",
                h("code", {}, "npm start"),
                " prints one. ",
              ],
          "It is kept in this tab until you close it, and sent in a header only.",
        ),
        reason !== undefined && h("p", { class: "key-rejected", role: "alert" }, reason),
        h("label", { for: "key" }, "Key"),
        input,
        h("label", { class: "check" }, show, "Show the key"),
        h(
          "div",
          { class: "row end" },
          canDismiss && dismiss,
          h("button", { class: "primary", type: "submit", value: "given" }, "Continue"),
        ),
      ),
    );
    // without a key there may be nothing behind the dialog to go back to
    dialog.addEventListener("cancel", (event) => {
      if (!canDismiss) event.preventDefault();
    });
    dialog.addEventListener("close", () => {
      const given = input.value.trim();
      const isGiven = dialog.returnValue === "given" && given !== "";
      if (!isGiven && !canDismiss) {
        dialog.showModal();
        return;
      }
      dialog.remove();
      resolve(isGiven ? given : undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}
