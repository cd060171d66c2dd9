declare module "*.css";

declare module "virtual:land" {
  /** Address of the file of land outlines. */
  const url: string;
  export default url;
}

declare module "*?url" {
  const url: string;
  export default url;
}
