/** An item with the links that the service adds. */
export function withLinks(item: { readonly id: string; readonly collection?: string | undefined }): unknown {
  const base = "https://swath.example/v1";
  const collection = `${base}/collections/${item.collection}`;
  return {
    ...item,
    links: [
      { rel: "self", href: `${collection}/items/${item.id}`, type: "application/geo+json" },
      { rel: "root", href: base, type: "application/json" },
      { rel: "parent", href: collection, type: "application/json" },
      { rel: "collection", href: collection, type: "application/json" },
      { rel: "preview", href: `${collection}/items/${item.id}/preview.png`, type: "image/png" },
    ],
  };
}
