import type { JSX } from "preact";
import type { Item, ItemAsset } from "../api/types.ts";
import { byteSize } from "../ui/format.ts";
import { mediaTypeName, type PropertyGroup, propertyGroups } from "./property-words.ts";

function Group({ label, rows }: PropertyGroup): JSX.Element {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2} class="group">
          {label}
        </th>
      </tr>
      {rows.map(({ name, label: words, explain, text }) => (
        <tr key={name}>
          <th scope="row" title={explain === undefined ? name : `${explain} (${name})`}>
            {words}
          </th>
          <td>{text}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** The properties of an item by extension, with labels and units. */
export function SceneMetadata({ item }: { readonly item: Item }): JSX.Element {
  return (
    <table>
      {propertyGroups(item.properties).map((group) => (
        <Group key={group.label} {...group} />
      ))}
    </table>
  );
}

function FileRow({ name, asset }: { readonly name: string; readonly asset: ItemAsset }): JSX.Element {
  const { href, title, type, "file:size": size } = asset;
  const isLink = href !== undefined && /^https?:/.test(href);
  const words = title ?? name;
  const facts = [
    words === name ? undefined : name,
    typeof type === "string" ? mediaTypeName(type) : undefined,
    size === undefined ? undefined : byteSize(size),
  ];
  return (
    <li>
      {isLink ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {words}
        </a>
      ) : (
        <strong>{words}</strong>
      )}
      <span>{facts.filter((fact) => fact !== undefined).join(", ")}</span>
    </li>
  );
}

/** The files of an item by their titles, with media types and sizes where they are known. */
export function SceneFiles({ item }: { readonly item: Item }): JSX.Element {
  return (
    <ul class="files">
      {Object.entries(item.assets).map(([name, asset]) => (
        <FileRow key={name} name={name} asset={asset} />
      ))}
    </ul>
  );
}
