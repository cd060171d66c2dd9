export { addPart, measured } from "./measuring.ts";
