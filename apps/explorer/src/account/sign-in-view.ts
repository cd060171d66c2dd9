import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { AccountApi } from "./account-api.ts";
import { h } from "./dom.ts";

/** Tells people what to do after they asked for a link. */
function sentCard(email: string, isOutbox: boolean, onAgain: () => void): HTMLElement {
  const again = h("button", { type: "button", onclick: () => onAgain() }, "Use another address");
  const title = h("h1", { id: "sent-title", tabindex: "-1" }, isOutbox ? "Open the mail" : "Look into your mailbox");
  queueMicrotask(() => title.focus());
  return h(
    "section",
    { class: "card sign-in", "aria-labelledby": "sent-title" },
    title,
    h(
      "p",
      {},
      "A mail to ",
      h("strong", {}, email),
      " has a link that signs you in. It is good for one hour and for one use.",
    ),
    isOutbox
      ? h(
          "p",
          { class: "note" },
          "This server has no mail server: it writes mails to files. Open the newest ",
          h("code", {}, ".eml"),
          " file in the folder ",
          h("code", {}, "outbox"),
          " of its data directory. The server printed where that is when it started, after ",
          h("code", {}, "mails"),
          ".",
        )
      : h(
          "p",
          {},
          "Nothing after some minutes? Look among unwanted mails. An address gets five mails an hour at most.",
        ),
    h("p", { class: "quiet" }, "Open the link in this browser, in any tab. This tab can be closed."),
    h("div", {}, again),
  );
}

/** The question before a mailed link signs in. */
export function followedLinkView(onSignIn: () => void): HTMLElement {
  const submit = h("button", { type: "button", class: "primary wide", onclick: () => onSignIn() }, "Sign in");
  queueMicrotask(() => submit.focus());
  return h(
    "section",
    { class: "card sign-in", "aria-labelledby": "followed-title" },
    h("h1", { id: "followed-title" }, "Sign in with this link?"),
    h("p", {}, "It signs this tab in to the account of the address that the mail was sent to."),
    submit,
    h(
      "p",
      { class: "quiet" },
      "Did you not ask for a link, or did somebody else send it to you? Then close this page.",
    ),
  );
}

/** The form that has a link mailed, and what to do then. `notice` says why the form is shown again. */
export function signInView(api: AccountApi, notice?: Node): HTMLElement {
  const holder = h("div", { class: "sign-in-holder" });
  const email = h("input", {
    id: "email",
    type: "email",
    name: "email",
    required: true,
    maxlength: 254,
    autocomplete: "email",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": "email-note",
  });
  const submit = h("button", { type: "submit", class: "primary wide" }, "Mail me a link");
  const problem = h("div");
  const form = h(
    "form",
    {},
    h("div", { class: "field" }, h("label", { for: "email" }, "E-mail address"), email),
    submit,
    problem,
  );
  const card = h(
    "section",
    { class: "card sign-in", "aria-labelledby": "sign-in-title" },
    h("h1", { id: "sign-in-title" }, "Sign in"),
    notice,
    h(
      "p",
      { id: "email-note" },
      "A mailed link signs you in, and makes an account if you have none. There is no password.",
    ),
    form,
    h("p", { class: "quiet" }, "You stay signed in until you close this tab."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.replaceChildren();
    const address = email.value.trim();
    api
      .mailLink(address)
      .then(({ outbox }) => {
        notice?.parentNode?.removeChild(notice);
        holder.replaceChildren(
          sentCard(address, outbox, () => {
            holder.replaceChildren(card);
            email.focus();
          }),
        );
      })
      .catch((error: unknown) => problem.replaceChildren(problemCard(problemFrom(error))))
      .finally(() => {
        submit.disabled = false;
      });
  });
  holder.append(card);
  return holder;
}
