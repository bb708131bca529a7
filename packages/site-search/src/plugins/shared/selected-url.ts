// The result that a reader has chosen, for routers, which open it without loading the whole page.

/** The event `ambry-search-select` of the element. */
export type SelectEvent = CustomEvent<{
  readonly url: string;
  readonly isPlain: boolean;
}>;

/** Undefined where the browser should act: with keys that open tabs, and for other sites. */
export function selectedUrl({ detail }: SelectEvent): URL | undefined {
  const url = new URL(detail.url, location.href);
  return detail.isPlain && url.origin === location.origin ? url : undefined;
}
