/**
 * Removes a secret from the address: `#key=...`, as `npm start` prints it, `#token=...`, as mails have it. Its entry in
 * the history is replaced, so that neither the address bar, the history nor a copied address holds the secret; the
 * fragment of an address is never sent to a server. Other fields of the fragment are kept.
 *
 * @returns the field's value; `undefined` where the address has none.
 */
export function takeFromAddress(name: string): string | undefined {
  const fields = location.hash.slice(1).split("&");
  const isIt = (field: string): boolean => field.startsWith(`${name}=`);
  const [found] = fields.filter(isIt);
  if (found === undefined) return undefined;
  const rest = fields.filter((field) => !isIt(field)).join("&");
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return new URLSearchParams(found).get(name)?.trim() || undefined;
}
