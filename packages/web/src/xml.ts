export { element, elementWith, type XmlElement, xmlDocument } from "./answer/xml.ts";
