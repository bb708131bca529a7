// DOM helpers for all pages. Text is always added as text nodes, never as markup.

/** Finds the element with this id, and checks its class. */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) {
    throw new Error(`The page has no ${type.name} with the id "${id}".`);
  }
  return found;
}

/** Creates an element with a class and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') {
    made.className = className;
  }
  made.append(...children);
  return made;
}

/** Creates a `<button>`. */
export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** Fills a `<dl>` with pairs of term and description. */
export function fillFacts(
  list: HTMLDListElement,
  facts: readonly (readonly [string, string])[],
): void {
  list.replaceChildren(
    ...facts.flatMap(([term, text]) => [element('dt', '', term), element('dd', '', text)]),
  );
}

/** Passes on the files chosen in an input. Then empties it, so that the same file can be chosen again. */
export function onFilesChosen(
  input: HTMLInputElement,
  receive: (files: readonly File[]) => void,
): void {
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) {
      receive(files);
    }
  });
}
