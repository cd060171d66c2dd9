/** Where the view is kept for people who leave the map for the account page: a mailed link opens in a tab of its own. */
const NAME = "swath-view";

/** Fields of a view as the address has them. */
const VIEW = /^[\w=&/.,;%+-]{1,4000}$/;

/** Keeps the view of the address. It holds no key: that is never in the address of a view. */
export function rememberView(): void {
  localStorage.setItem(NAME, location.hash.slice(1));
}

/** The address of the map with the view that was left last; with none where there is none. */
export function mapAddress(): string {
  const view = localStorage.getItem(NAME) ?? "";
  const isView = VIEW.test(view) && !view.split("&").some((field) => field.startsWith("key="));
  return isView ? `/explore#${view}` : "/explore";
}
