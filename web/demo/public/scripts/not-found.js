// Repairs the addresses in 404.html, which a server sends for an address of any depth. This script lies in scripts/ below
// the site's root, so its own address tells the root.
(() => {
  const marked = document.documentElement.dataset;
  const own = document.currentScript?.src;
  if (marked.root !== undefined || own === undefined) return;
  const root = new URL('..', own);
  marked.root = root.href;

  function repair(element, name) {
    const value = element.getAttribute(name);
    const right = new URL(value, root).href;
    if (right === element[name]) return;
    if (element.localName !== 'script') {
      element.setAttribute(name, right);
      return;
    }
    // A script runs once only.
    const script = document.createElement('script');
    script.type = element.type;
    script.src = right;
    element.replaceWith(script);
  }

  document.addEventListener('DOMContentLoaded', () => {
    for (const name of ['href', 'src']) {
      for (const element of document.querySelectorAll(`[${name}^="./"]`)) {
        if (!element.src?.endsWith('/not-found.js')) repair(element, name);
      }
    }
  });
})();
