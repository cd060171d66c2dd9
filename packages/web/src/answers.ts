export { type CacheRules, conditional, fingerprint, matchesEtag } from "./answer/conditional.ts";
export { type DocumentOptions, sendDocument } from "./answer/document.ts";
export { completeAnswer, withFirstBytes } from "./answer/first-bytes.ts";
export { appendVary, headerList } from "./answer/header-list.ts";
export { chooseMediaType } from "./answer/media-choice.ts";
export { jsonParts, textAnswer } from "./answer/text-parts.ts";
