import type { SmtpServer } from "@swath/accounts";
import { isLoopbackHost } from "@swath/web/origins";

/**
 * Reads `smtp://user:password@host:587` or `smtps://user:password@host`. With `smtp:` the server has to offer STARTTLS,
 * unless it is on this machine or the address ends with `?tls=off`.
 *
 * @returns undefined for any other text.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!/^smtps?:$/.test(protocol) || hostname === "" || !/^\/?$/.test(pathname) || hash !== "") return undefined;
  if (search !== "" && (search !== "?tls=off" || protocol === "smtps:")) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const plain = search === "?tls=off" || isLoopbackHost(hostname);
  let auth: SmtpServer["auth"];
  try {
    if (username !== "") auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
  return {
    host,
    port: port === "" ? (protocol === "smtps:" ? 465 : 587) : Number(port),
    tls: protocol === "smtps:" ? "implicit" : plain ? "off" : "required",
    ...(auth === undefined ? {} : { auth }),
  };
}
