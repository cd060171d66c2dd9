export { SEARCH_UNITS } from "./limits/cost.ts";
export { didYouMean, presetNamed, unknownCollection } from "./names.ts";
export { previewRecipe } from "./read/recipe-bands.ts";
export { type CubeCollection, cubeCollection } from "./what/cube-bands.ts";
export { collectionOf, collectionsOf } from "./when/collections.ts";
export { aliasFilter, scopedQuery, searchNames } from "./when/search-scope.ts";
export { withDays } from "./when/time-window.ts";
export { upstreamFault, upstreamProblem, upstreamsNamed } from "./when/upstream-fault.ts";
