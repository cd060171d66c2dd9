/** Types of stac-js, which has none, as far as its test uses them. */
declare module "stac-js" {
  export default function create(data: unknown): {
    getThumbnails(): readonly { readonly type: string; getAbsoluteUrl(): string }[];
  };
}
