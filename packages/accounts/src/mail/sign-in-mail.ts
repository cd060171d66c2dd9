import type { Mail } from "./mailer.ts";

/**
 * The mail with a link to sign in. It holds nothing that whoever asked for it wrote: no name, no text. Its lines are
 * short, so that the link of a service on this machine is one line in the file that the mail is written to.
 *
 * @param base address of the service or its website, without a trailing slash.
 * @param secret of the link: in the fragment, which browsers send to no server.
 */
export function signInMail(to: string, base: string, secret: string): Mail {
  const link = `${base}/account#token=${secret}`;
  const { host } = new URL(base);
  const what = [`This link signs you in at ${host}.`, "It is good for one hour and for one use:"];
  const care = [
    "Whoever has the link can sign in as you: do not pass it on.",
    "If you did not ask for it, ignore this mail.",
  ];
  const paragraph = (lines: readonly string[]): string => `<p>${lines.map(escapeHtml).join("\n")}</p>`;
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sign in</title><body>
${paragraph(what)}
<p><a
href="${escapeHtml(link)}"
>Sign in at ${escapeHtml(host)}</a></p>
${paragraph(care)}
</body></html>
`;
  return { to, subject: `Sign in at ${host}`, text: `${[...what, "", link, "", ...care].join("\n")}\n`, html };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
