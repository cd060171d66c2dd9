import { domainToASCII } from "node:url";

/** Characters of the longest mail address. */
export const MAX_EMAIL = 254;

/** `atext` of RFC 5322 section 3.2.3, in lower case. */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${ATOM}(\\.${ATOM})*$`);
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LOCAL = 64;

/**
 * Reads an address of RFC 5322 (`dot-atom "@" domain`) in lower case, its domain in ASCII. Quoted local parts, comments
 * and address literals are not taken: mail programs disagree on whom they lead to.
 *
 * @returns undefined for anything else, and for more than 254 characters.
 * @example parseEmailAddress("Ann@Example.org") // "ann@example.org"
 */
export function parseEmailAddress(text: string): string | undefined {
  if (text.length > MAX_EMAIL) return undefined;
  const at = text.lastIndexOf("@");
  if (at < 1) return undefined;
  const local = text.slice(0, at).toLowerCase();
  const written = text.slice(at + 1);
  // characters that domainToASCII would strip or decode are no part of a name
  if (/[\s%/?#:@\\[\]]/.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  const labels = domain.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  if (!LOCAL.test(local) || local.length > MAX_LOCAL || !isName) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MAX_EMAIL ? undefined : address;
}
