// The search page was at the root of the site. Links with a question that were made then lead to the page's new place.
// A script of its own, which runs before the page is drawn.
(() => {
  const parameters = new URLSearchParams(location.search);
  if (['q', 'mode', 'source'].some((name) => parameters.has(name))) {
    location.replace(`search/index.html${location.search}${location.hash}`);
  }
})();
