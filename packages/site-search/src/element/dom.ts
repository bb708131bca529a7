// Makes elements from names, attributes and text. Nothing is HTML from strings.

export type Child = Node | string | undefined;
/** `true` is an attribute without a value; `false` and undefined are none. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(element, name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function setAttribute(
  element: Element,
  name: string,
  value: string | boolean | undefined,
): void {
  if (value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : value);
  }
}

/** Sets a text only where it differs, so that screen readers announce no change that is none. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
