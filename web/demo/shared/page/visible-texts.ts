// Makes visible in a page what strangers can hide in a name or a text: marks that turn a line around, control characters, and
// in pages of names also what has no width. It watches the whole page, so that no view can forget it. What writes these characters
// comes with the first text that may have one.

/** What people see or hear of an element besides its text. */
const attributes = ['title', 'aria-label', 'data-label', 'alt', 'placeholder'];

/** `texts` says what the page shows: names and values of one line, or texts in any language, in which characters without a
 *  width may be right. */
export function watchTexts(texts: 'names' | 'texts', root: HTMLElement = document.body): void {
  const look = (node: Node) => {
    if (hasSuspects(node)) {
      void makeAllVisible(node, texts);
    }
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'childList') {
        addedNodes.forEach(look);
      } else {
        look(target);
      }
    }
  }).observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: attributes,
  });
  look(root);
}

/** Control characters, those of formats and those without a width are among these, and few others. */
const suspect = /(?![\n\t])\p{C}|[\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0]/u;

function hasSuspects(node: Node): boolean {
  if (suspect.test(node.textContent ?? '')) {
    return true;
  }
  const elements = node instanceof Element ? [node, ...node.querySelectorAll('*')] : [];
  return elements.some((each) =>
    attributes.some((name) => suspect.test(each.getAttribute(name) ?? '')),
  );
}

async function makeAllVisible(node: Node, texts: 'names' | 'texts'): Promise<void> {
  const { visibleName, visibleText } = await import('ambry/tables');
  // Line feeds and tabs of the page's own layout stay.
  const ofNames = (text: string): string => text.replace(/[^\n\t]+/g, visibleName);
  makeVisible(node, texts === 'names' ? ofNames : visibleText);
}

function makeVisible(node: Node, visible: (text: string) => string): void {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let at: Node | null = node; at; at = walker.nextNode()) {
    if (at instanceof Text) {
      const shown = visible(at.data);
      // Writing what is there already would be a change.
      if (shown !== at.data) {
        at.data = shown;
      }
    } else if (at instanceof Element) {
      showAttributes(at, visible);
    }
  }
}

function showAttributes(element: Element, visible: (text: string) => string): void {
  for (const name of attributes) {
    const value = element.getAttribute(name);
    const shown = value === null ? null : visible(value);
    if (shown !== null && shown !== value) {
      element.setAttribute(name, shown);
    }
  }
}
