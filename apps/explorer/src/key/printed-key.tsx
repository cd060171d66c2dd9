import type { JSX } from "preact";

/** Says where the key of a service is that is tried out: mails of such a service stay on its machine. */
export function PrintedKey(): JSX.Element {
  return (
    <>
      <code>npm start</code> prints a key for trying the service out, and an address of this page that has it.
    </>
  );
}
