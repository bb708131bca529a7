// Shows metadata and configuration. A list of objects becomes a table.

import { byId, element } from './dom.ts';
import { formatCount } from './format.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Longer texts, such as chat templates and licences, are cut. The saved report has them whole. */
const maxTextLength = 400;
/** Longer tables, such as the layers of a large network, are cut. The saved report has all rows. */
const maxRows = 200;

function valueText(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? formatCount(value) : String(value);
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
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
    const cells = columns.map((name) =>
      element('td', '', name in object ? valueText(object[name]) : ''),
    );
    return element('tr', '', ...cells);
  });
  const made = element('table', '', element('thead', '', head), element('tbody', '', ...rows));
  const left = objects.length - rows.length;
  const scroll = element('div', 'value-table', made);
  scroll.tabIndex = 0;
  return left > 0 ? element('div', '', scroll, `and ${formatCount(left)} more`) : scroll;
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

/** Shows the keys and values of `document` in the section with this id. Hides the section where there are none. */
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
