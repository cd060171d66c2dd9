import { defineComponent, h, onMounted, ref } from "vue";
import { isServed } from "./server.ts";

/** Links to the pages of the server beside its documents, where a server gave them. */
export const ServiceLinks = defineComponent({
  name: "ServiceLinks",
  setup() {
    const isThere = ref(false);
    onMounted(() => {
      isThere.value = isServed();
    });
    return () =>
      isThere.value
        ? h("nav", { class: "service-links", "aria-label": "This server" }, [
            h("a", { href: "/explore", target: "_self" }, "Map"),
          ])
        : null;
  },
});
