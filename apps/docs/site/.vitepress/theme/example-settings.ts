import { useData, useRoute } from "vitepress";
import { defineComponent, h, nextTick, onMounted, ref, type VNode, watch } from "vue";
import { personalize, WRITTEN_ADDRESS } from "./personal-examples.ts";
import { isServed, keepKey, readKey } from "./server.ts";

const ID = "example-key";

/** A line above pages that have examples: which server they ask, and the reader's key, which is kept in this tab alone. */
export const ExampleSettings = defineComponent({
  name: "ExampleSettings",
  setup() {
    const route = useRoute();
    const { frontmatter, page } = useData();
    const key = ref("");
    const address = ref(WRITTEN_ADDRESS);

    const write = (): void => {
      const document_ = document.querySelector(".vp-doc");
      if (document_ !== null) personalize(document_, { address: address.value, key: key.value });
    };
    onMounted(() => {
      // a host of files is no server: there the examples stay as they are written
      if (!isServed) return;
      address.value = location.origin;
      key.value = readKey();
      watch(
        () => [route.path, page.value.relativePath],
        async () => {
          await nextTick();
          write();
        },
        { immediate: true, flush: "post" },
      );
      watch(key, (value) => {
        keepKey(value);
        write();
      });
    });

    const field = (): VNode =>
      h("input", {
        id: ID,
        type: "password",
        autocomplete: "off",
        spellcheck: false,
        value: key.value,
        placeholder: "none yet",
        onInput: (event: Event) => {
          key.value = (event.target as HTMLInputElement).value.trim();
        },
      });
    return () =>
      isServed && frontmatter.value.hasExamples === true
        ? h("aside", { class: "example-settings", "aria-label": "Examples" }, [
            h("span", ["Examples on this page ask ", h("strong", address.value), "."]),
            h("span", [h("label", { for: ID }, "Your key"), " ", field()]),
            h("small", "It is written into the examples and kept in this tab alone."),
          ])
        : null;
  },
});
