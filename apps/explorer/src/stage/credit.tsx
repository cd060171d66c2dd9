import type { JSX } from "preact";
import { creditLine } from "../map/credit-line.ts";
import { useExplorer } from "../state/explorer.ts";
import { CreditText } from "./credit-text.tsx";

/** Shows the credit for the images and the base map. */
export function Credit(): JSX.Element {
  const { drawn, right, collection, shown, isSynthetic, hasNames, map } = useExplorer();
  const beside = { isSynthetic, hasNames: hasNames.value, base: map.value?.base.value, other: right.value };
  return <CreditText text={creditLine(drawn.value, collection.value, shown.value, beside)} />;
}
