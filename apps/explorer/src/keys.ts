import type { Keys } from "./api.ts";
import { h } from "./dom.ts";

const NAME = "swath-key";

/**
 * Removes a key from the address: `#key=...`, as `npm start` prints it. Its entry in the history
 * is replaced, so that neither the address bar, the history nor a copied address holds the key; the fragment of an
 * address is never sent to a server. Other fields of the fragment are kept.
 *
 * @returns the key; `undefined` where the address has none.
 */
export function takeKeyFromAddress(): string | undefined {
  const fields = location.hash.slice(1).split("&");
  const keys = fields.filter((field) => field.startsWith("key="));
  if (keys.length === 0) return undefined;
  const rest = fields.filter((field) => !field.startsWith("key=")).join("&");
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return new URLSearchParams(keys[0]).get("key")?.trim() || undefined;
}

/** Takes the key from the address or prompts for it, once, and keeps it for this tab's session only. */
export function sessionKeys(): Keys & { forget(): void } {
  let asking: Promise<string> | undefined;
  const brought = takeKeyFromAddress();
  if (brought !== undefined) sessionStorage.setItem(NAME, brought);
  // an address with a key may be opened in a tab that shows the page already
  addEventListener("hashchange", () => {
    const next = takeKeyFromAddress();
    if (next === undefined) return;
    sessionStorage.setItem(NAME, next);
    location.reload();
  });
  let key = sessionStorage.getItem(NAME) ?? undefined;

  const open = (rejected: string | undefined): Promise<string> =>
    new Promise((resolve) => {
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
            "Searching and rendering need a key. A service started with ",
            h("code", {}, "npm start"),
            " prints one. It is kept in this tab until you close it, and sent in a header only.",
          ),
          rejected !== undefined && h("p", { class: "key-rejected", role: "alert" }, rejected),
          h("label", { for: "key" }, "Key"),
          input,
          h("label", { class: "check" }, show, "Show the key"),
          h("div", { class: "row end" }, h("button", { class: "primary", type: "submit" }, "Continue")),
        ),
      );
      // without a key there is nothing behind the dialog to go back to
      dialog.addEventListener("cancel", (event) => event.preventDefault());
      dialog.addEventListener("close", () => {
        const given = input.value.trim();
        if (given === "") {
          dialog.showModal();
          return;
        }
        key = given;
        sessionStorage.setItem(NAME, given);
        dialog.remove();
        resolve(given);
      });
      document.body.append(dialog);
      dialog.showModal();
      input.focus();
    });

  return {
    current: () => key,
    ask(rejected) {
      asking ??= open(rejected).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget() {
      key = undefined;
      sessionStorage.removeItem(NAME);
    },
  };
}
