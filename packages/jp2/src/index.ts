export { type Jp2, type Jp2Level, type OpenJp2Options, openJp2, type Placement } from "./jp2.ts";
