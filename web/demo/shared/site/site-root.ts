// The address of the site's root. The site works from any folder of any server, so no script knows it.

/** Ends with a slash. The head of every page links the icon, which lies at the root. */
export function siteRoot(): URL {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  return new URL('./', icon?.href ?? document.baseURI);
}
