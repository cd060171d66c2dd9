import { defineComponent, h, onMounted, ref, shallowRef, type VNode } from "vue";
import { mapAddress } from "../service-links.ts";
import { DAYS, type Day, EDGE, mapPageOf } from "./place.ts";
import { type Images, imagesOf, type Tile } from "./tiles.ts";

/** Width of the handle, which does not leave the image. */
const HANDLE = "2.75rem";
const ORIGIN = "Drawn by this server: an invented valley";

const layer = (name: string, title: string, tiles: readonly Tile[]): VNode =>
  h("div", { class: `live-layer ${name}` }, [
    ...tiles.map(({ src, left, top }) =>
      h("img", {
        src,
        alt: "",
        width: EDGE,
        height: EDGE,
        style: { left: `calc(50% + ${left}px)`, top: `calc(50% + ${top}px)` },
      }),
    ),
    h("span", { class: "live-title" }, title),
  ]);

/** Tiles of this server over the picture: true colour on the left of a line that can be moved, NDVI on its right, and days to choose. */
export const LiveMap = defineComponent({
  name: "LiveMap",
  emits: { shown: (_words: string) => true },
  setup(_, { emit }) {
    const line = ref(50);
    const shown = shallowRef<{ readonly day: Day; readonly images: Images }>();
    const wanted = shallowRef<Day>();
    const fault = ref<string>();

    const show = async (day: Day): Promise<void> => {
      wanted.value = day;
      fault.value = undefined;
      try {
        const images = await imagesOf(day.date);
        if (wanted.value !== day) return;
        shown.value = { day, images };
        mapAddress.value = mapPageOf(day);
        emit(
          "shown",
          `An invented valley on ${day.written}, drawn by this server: true colour on the left and NDVI on the right. There is ${day.seen}.`,
        );
      } catch {
        // before the first day is there, the picture remains
        if (wanted.value === day) fault.value = `${day.written} cannot be shown now`;
      }
      if (wanted.value === day) wanted.value = undefined;
    };
    onMounted(() => void show(DAYS[0]));

    const slider = (): VNode =>
      h("input", {
        type: "range",
        class: "live-slider",
        min: 0,
        max: 100,
        value: line.value,
        "aria-label": "Line between true colour and NDVI",
        "aria-valuetext": `${line.value} % of the width is true colour`,
        onInput: (event: Event) => {
          line.value = Number((event.target as HTMLInputElement).value);
        },
      });
    const button = (day: Day, current: Day): VNode =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": day === current,
          "aria-busy": day === wanted.value,
          onClick: () => void show(day),
        },
        [h("strong", day.name), " ", h("time", { datetime: day.date }, day.written)],
      );
    return () => {
      if (shown.value === undefined) return null;
      const { day, images } = shown.value;
      const place = `calc(${line.value / 100} * (100% - ${HANDLE}) + ${HANDLE} / 2)`;
      return [
        h("div", { class: "live-frame", style: { "--line": place } }, [
          layer("true-color", "True colour", images.trueColor),
          layer("ndvi", "NDVI", images.ndvi),
          h("div", { class: "live-line" }),
          slider(),
          h("p", { class: "live-note", role: "status" }, fault.value ?? ORIGIN),
        ]),
        h(
          "div",
          { class: "live-days", role: "group", "aria-label": "Days to look at" },
          DAYS.map((each) => button(each, day)),
        ),
      ];
    };
  },
});
