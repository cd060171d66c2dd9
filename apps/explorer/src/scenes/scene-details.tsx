import type { JSX } from "preact";
import type { Item, ItemAsset } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { byteSize } from "../ui/format.ts";

/** A property as text: numbers short, lists and objects as JSON. */
function propertyText(value: unknown): string {
  if (typeof value === "number") return String(Number(value.toPrecision(8)));
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Metadata({ item }: { readonly item: Item }): JSX.Element {
  const rows = Object.entries(item.properties).filter(([, value]) => value !== null && value !== undefined);
  return (
    <details>
      <summary>Metadata ({rows.length})</summary>
      <table>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{propertyText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function FileRow({ name, asset }: { readonly name: string; readonly asset: ItemAsset }): JSX.Element {
  const size = asset["file:size"];
  const isLink = asset.href !== undefined && /^https?:/.test(asset.href);
  return (
    <li>
      {isLink ? (
        <a href={asset.href} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ) : (
        <strong>{name}</strong>
      )}
      <span>{[asset.title, size === undefined ? undefined : byteSize(size)].filter(Boolean).join(", ")}</span>
    </li>
  );
}

/** The metadata of the scene that is shown alone, and its files. */
export function SceneDetails(): JSX.Element | null {
  const { api, shown } = useExplorer();
  const item = shown.value;
  if (item === undefined) return null;
  const files = Object.entries(item.assets);
  const address = api.address(`v1/collections/${item.collection}/items/${encodeURIComponent(item.id)}`);
  return (
    <section class="details" aria-label="The scene that is shown">
      <Metadata item={item} />
      <details>
        <summary>Files ({files.length})</summary>
        <ul class="files">
          {files.map(([name, asset]) => (
            <FileRow key={name} name={name} asset={asset} />
          ))}
        </ul>
      </details>
      <a href={address} target="_blank" rel="noopener">
        As STAC item
      </a>
    </section>
  );
}
