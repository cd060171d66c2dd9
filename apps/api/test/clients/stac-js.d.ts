/** Of stac-js, which has no types, what its test uses. */
declare module "stac-js" {
  export default function create(data: unknown): {
    getThumbnails(): readonly { readonly type: string; getAbsoluteUrl(): string }[];
  };
}
