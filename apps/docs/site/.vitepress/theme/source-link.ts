import { useData } from "vitepress";
import { defineComponent, h } from "vue";

const REPOSITORY = "https://github.com/swath-imagery/swath/edit/main";

/** A link to the file that a page is made of, below its text; none where the build wrote the page. */
export const SourceLink = defineComponent({
  name: "SourceLink",
  setup() {
    const { frontmatter } = useData();
    return () => {
      const { source } = frontmatter.value as { readonly source?: string };
      return source === undefined
        ? null
        : h("p", { class: "source-link" }, h("a", { href: `${REPOSITORY}/${source}` }, "Change this page"));
    };
  },
});
