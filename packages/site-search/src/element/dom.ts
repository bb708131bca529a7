// Makes elements from names, attributes and text. Nothing is HTML from strings, and what turns a line around is visible.
import { visibleText } from 'ambry/tables';

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
  for (const child of children) {
    if (child !== undefined) {
      element.append(typeof child === 'string' ? visibleText(child) : child);
    }
  }
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
    const text = value === true ? '' : value;
    element.setAttribute(name, name === 'href' ? text : visibleText(text));
  }
}

/** Sets a text only where it differs, so that screen readers announce no change that is none. */
export function setText(element: Element, given: string): void {
  const text = visibleText(given);
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
