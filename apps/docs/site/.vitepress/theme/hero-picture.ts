import { useData, withBase } from "vitepress";
import { type Component, defineComponent, h, onBeforeUnmount, onMounted, ref, shallowRef, type VNode } from "vue";
import { isServed } from "./server.ts";

interface Picture {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

/**
 * The picture beside the first words of the site. Where a server gives the pages, its own tiles cover it once it is in view and they
 * are there.
 */
export const HeroPicture = defineComponent({
  name: "HeroPicture",
  setup() {
    const { frontmatter } = useData();
    const frame = ref<HTMLElement>();
    const liveMap = shallowRef<Component>();
    const shown = ref<string>();
    let observer: IntersectionObserver | undefined;

    const loadMap = async (): Promise<void> => {
      try {
        liveMap.value = (await import("./live-map/live-map.ts")).LiveMap;
      } catch {
        // the picture remains
      }
    };
    onMounted(() => {
      if (!isServed || frame.value === undefined) return;
      observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer?.disconnect();
        void loadMap();
      });
      observer.observe(frame.value);
    });
    onBeforeUnmount(() => observer?.disconnect());

    const onShown = (words: string): void => {
      shown.value = words;
    };
    const image = ({ src, width, height, alt }: Picture): VNode =>
      h("img", { src: withBase(src), width, height, alt: shown.value ?? alt });
    return () => {
      const picture = frontmatter.value.hero?.image as Picture | undefined;
      if (picture === undefined) return null;
      return h("div", { ref: frame, class: "image-src hero-picture" }, [
        image(picture),
        liveMap.value === undefined ? null : h(liveMap.value, { onShown }),
      ]);
    };
  },
});
