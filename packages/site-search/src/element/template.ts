// The parts of the element that are always there.
import { make } from './dom.ts';
import { icon } from './icons.ts';

export interface Template {
  readonly root: HTMLElement;
  readonly box: HTMLElement;
  readonly input: HTMLInputElement;
  readonly clear: HTMLButtonElement;
  readonly hotkey: HTMLElement;
  /** The line at the field that shows how much of the model is there. */
  readonly bar: HTMLElement;
  readonly panel: HTMLElement;
  readonly list: HTMLElement;
  readonly message: HTMLElement;
  readonly more: HTMLButtonElement;
  readonly status: HTMLElement;
  readonly keys: HTMLElement;
  /** What screen readers say. */
  readonly live: HTMLElement;
}

/** `filters` comes before the list, so that Tab goes from the field to it. */
export function makeTemplate(filters: HTMLElement): Template {
  const input = makeInput();
  const clear = make(
    'button',
    { type: 'button', class: 'clear', part: 'clear', hidden: true },
    icon('clear'),
  );
  const hotkey = make('kbd', {
    class: 'hotkey',
    part: 'hotkey',
    'aria-hidden': 'true',
    hidden: true,
  });
  const bar = make('span', { class: 'bar', part: 'bar', 'aria-hidden': 'true', hidden: true });
  const box = make(
    'div',
    { class: 'box', part: 'box' },
    icon('search', 'icon'),
    input,
    clear,
    hotkey,
    bar,
  );
  const list = make('div', { id: 'list', class: 'list', part: 'list', role: 'listbox' });
  const message = make('div', { class: 'message', part: 'message', hidden: true });
  const more = make('button', { type: 'button', class: 'more', part: 'more', hidden: true });
  const status = make('span', { class: 'status', part: 'status' });
  const keys = make('span', { class: 'keys', part: 'keys', 'aria-hidden': 'true' });
  const panel = make(
    'div',
    { class: 'panel', part: 'panel' },
    filters,
    make('div', { class: 'scroll', part: 'scroll' }, message, list, more),
    make('div', { class: 'foot', part: 'foot' }, status, keys),
  );
  // In the layer above all else, whatever cuts or covers the element.
  if ('popover' in panel) {
    panel.setAttribute('popover', 'manual');
  }
  const live = make('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const root = make('div', { class: 'root', part: 'root', role: 'search' }, box, panel, live);
  return { root, box, input, clear, hotkey, bar, panel, list, message, more, status, keys, live };
}

function makeInput(): HTMLInputElement {
  return make('input', {
    id: 'input',
    class: 'input',
    part: 'input',
    type: 'text',
    role: 'combobox',
    inputmode: 'search',
    enterkeyhint: 'search',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': 'list',
    'aria-expanded': 'false',
  });
}
