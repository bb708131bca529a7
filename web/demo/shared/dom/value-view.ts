// Shows metadata and configuration. A list of objects becomes a table.

import { formatCount } from '../base/format.ts';
import { jsonLine } from '../base/json-text.ts';
import { button, byId, element } from './dom.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Longer texts, such as chat templates and licences, are cut. The saved report has them whole. */
const maxTextLength = 400;
/** So many keys are shown at once. */
const maxPairs = 12;
/** Longer tables, such as the layers of a large network, are cut. The saved report has all rows. */
const maxRows = 200;

function valueText(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? formatCount(value) : String(value);
  }
  const text = ['string', 'bigint'].includes(typeof value) ? String(value) : jsonLine(value);
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

function table(objects: readonly JsonObject[]): HTMLElement {
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const head = element('tr', '', ...columns.map((name) => element('th', '', name)));
  const rows = objects.slice(0, maxRows).map((object) => {
    const cells = columns.map((name) => {
      const cell = element('td', '', name in object ? valueText(object[name]) : '');
      cell.dataset['label'] = name;
      return cell;
    });
    return element('tr', '', ...cells);
  });
  const made = element('table', '', element('thead', '', head), element('tbody', '', ...rows));
  const left = objects.length - rows.length;
  const whole = element('div', 'value-table', made);
  return left > 0 ? element('div', '', whole, `and ${formatCount(left)} more`) : whole;
}

/** The view of one value. */
function valueView(value: unknown): Node | string {
  if (isTable(value)) {
    return table(value);
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const pairs = Object.entries(value).map(([key, text]) => `${key}: ${valueText(text)}`);
    return element('ul', 'value-list', ...pairs.map((pair) => element('li', '', pair)));
  }
  return valueText(value);
}

const pairViews = (pairs: readonly (readonly [string, unknown])[]): HTMLElement[] =>
  pairs.flatMap(([key, value]) => [element('dt', '', key), element('dd', '', valueView(value))]);

/** Shows the keys and values of `document` in the section with this id, the first ones at once and the others on request.
 *  Hides the section where there are none. */
export function showPairs(id: string, document: Readonly<Record<string, unknown>> | null): void {
  const pairs = Object.entries(document ?? {});
  const section = byId(id, HTMLElement);
  const list = byId(`${id}-facts`, HTMLDListElement);
  section.hidden = pairs.length === 0;
  const first = pairs.length <= maxPairs + 2 ? pairs : pairs.slice(0, maxPairs);
  list.replaceChildren(...pairViews(first));
  section.querySelector('.more-pairs')?.remove();
  const left = pairs.slice(first.length);
  if (left.length > 0) {
    const more = button(`Show ${formatCount(left.length)} more`, 'quiet more-pairs', () => {
      list.append(...pairViews(left));
      more.remove();
    });
    list.after(more);
  }
}
