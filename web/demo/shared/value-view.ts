// Values of metadata and configuration as people read them: lists of things of one kind become tables.

import { byId, element } from './dom.ts';
import { formatCount } from './format.ts';

type Thing = Readonly<Record<string, unknown>>;

/** A chat template or a licence fills pages; what is longer is cut here and whole in the report. */
const kLongestText = 400;
/** Rows of a table; the network of a large model has more, and the report has them all. */
const kMostRows = 200;

function valueText(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? formatCount(value) : String(value);
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= kLongestText ? text : `${text.slice(0, kLongestText)}…`;
}

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is readonly Thing[] =>
  Array.isArray(value) && value.length > 0 && value.every(isThing);

function table(things: readonly Thing[]): HTMLElement {
  const columns = [...new Set(things.flatMap((thing) => Object.keys(thing)))];
  const head = element('tr', '', ...columns.map((name) => element('th', '', name)));
  const rows = things.slice(0, kMostRows).map((thing) => {
    const cells = columns.map((name) =>
      element('td', '', name in thing ? valueText(thing[name]) : ''),
    );
    return element('tr', '', ...cells);
  });
  const made = element('table', '', element('thead', '', head), element('tbody', '', ...rows));
  const left = things.length - rows.length;
  const scroll = element('div', 'value-table', made);
  scroll.tabIndex = 0;
  return left > 0 ? element('div', '', scroll, `and ${formatCount(left)} more`) : scroll;
}

/** What stands behind a key of metadata or configuration. */
function valueView(value: unknown): Node | string {
  if (isTable(value)) {
    return table(value);
  }
  if (isThing(value) && Object.keys(value).length > 0) {
    const pairs = Object.entries(value).map(([key, text]) => `${key}: ${valueText(text)}`);
    return element('ul', 'value-list', ...pairs.map((pair) => element('li', '', pair)));
  }
  return valueText(value);
}

/** Fills the section with this id, and the list in it, with a document; hides it where there is none. */
export function showPairs(id: string, document: Readonly<Record<string, unknown>> | null): void {
  const pairs = Object.entries(document ?? {});
  byId(id, HTMLElement).hidden = pairs.length === 0;
  byId(`${id}-facts`, HTMLDListElement).replaceChildren(
    ...pairs.flatMap(([key, value]) => [
      element('dt', '', key),
      element('dd', '', valueView(value)),
    ]),
  );
}
