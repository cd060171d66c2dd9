/**
 * Puts a text into the clipboard.
 *
 * @throws where the browser does not let the page do so, or the page is neither on https nor on this machine.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard === undefined) throw new Error("There is no clipboard.");
  await navigator.clipboard.writeText(text);
}
