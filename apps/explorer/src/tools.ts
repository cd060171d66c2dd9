import type { CardTool, Tool } from "./tool.ts";
import type { Card, Tab } from "./view/view.ts";

/** Tabs of the panel. A tab is one more line here and one more name in `TABS` of `view/view.ts`. */
export const TAB_TOOLS: Readonly<Record<Tab, Tool>> = {
  scenes: {
    title: "Scenes",
    hint: "Choose a scene in the list or on the map.",
    load: async () => (await import("./scenes/scenes.tsx")).Scenes,
  },
  values: {
    title: "Values",
    hint: "Values under the pointer.",
    load: async () => (await import("./values/values.tsx")).Values,
  },
  analysis: {
    title: "Analysis",
    hint: "Curves and statistics of a point, an area or many fields.",
    load: async () => (await import("./analysis/tool.tsx")).AnalysisTool,
    loadDock: async () => (await import("./analysis/dock.tsx")).AnalysisDock,
  },
  download: {
    title: "Download",
    hint: "Draw an area and extract it as a GeoTIFF.",
    load: async () => (await import("./extract/extract.tsx")).Extract,
  },
};

/** Cards over the map, each opened by a button at its right. A card is one more line here and one more name in `CARDS`. */
export const CARD_TOOLS: Readonly<Record<Card, CardTool>> = {
  search: {
    title: "Places",
    hint: "Go to a place",
    icon: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",
    load: async () => (await import("./search/search.tsx")).PlaceSearch,
  },
  layers: {
    title: "Layers",
    hint: "Opacity, hillshade, names, stretch",
    icon: "M12 3 2 8l10 5 10-5zM2 12l10 5 10-5M2 16l10 5 10-5",
    load: async () => (await import("./layers/layers.tsx")).Layers,
  },
  calendar: {
    title: "Calendar",
    hint: "Days that have scenes in view, with their cloud",
    icon: "M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4",
    load: async () => (await import("./calendar/calendar.tsx")).Calendar,
  },
  compare: {
    title: "Compare",
    hint: "Compare two dates or two images by a swipe",
    icon: "M4 5h16v14H4zM12 3v18M7.5 12H5M16.5 12H19",
    load: async () => (await import("./compare/compare.tsx")).Compare,
  },
  timeline: {
    title: "Timeline",
    hint: "Go through the days one by one, play and save them",
    icon: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM10.5 8.8v6.4l4.8-3.2z",
    load: async () => (await import("./timeline/timeline.tsx")).Timeline,
  },
  measure: {
    title: "Measure",
    hint: "Measure a distance or an area",
    icon: "M3 15.5 15.5 3l5.5 5.5L8.5 21zM7 11.5l2 2M10.5 8l2 2M14 4.5l2 2",
    load: async () => (await import("./measure/measure.tsx")).Measure,
  },
  share: {
    title: "Use this elsewhere",
    hint: "The view as code for other programs and pages",
    icon: "M9 7l-5 5 5 5M15 7l5 5-5 5",
    load: async () => (await import("./share/share.tsx")).Share,
  },
};
