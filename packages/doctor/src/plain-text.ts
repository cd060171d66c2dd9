/** Longest text of somebody else's that is shown. */
const MAX_TEXT = 400;
/** Values shorter than these are part of too many words to be looked for. */
const SHORTEST_SECRET = 6;

/** Makes text of errors fit to be shown: one line without secrets, signed queries and control characters. */
export type PlainText = (text: string) => string;

/** @param secrets are left out wherever they stand, as they are and percent-encoded. */
export function plainText(secrets: readonly string[]): PlainText {
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) => {
    const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, "…"), withoutQueries(text));
    // an archive's words go to a terminal
    const line = shown.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ").trim();
    return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
  };
}

/** Addresses without user, password and query: signatures stand there. */
function withoutQueries(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']*@/giu, "$1")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/giu, "$1");
}

/** An address as it is shown. */
export function plainUrl(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}
