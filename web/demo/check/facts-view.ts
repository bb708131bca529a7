// The file in short, its metadata and its configuration.

import type { Inspection } from 'ambry';
import { byId, element, fillFacts } from '../shared/dom.ts';
import { formatBytes, formatCount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import { type CheckState, selectedFile } from './state.ts';
import { formatName } from './verdict-view.ts';

/** A chat template or a licence fills pages; what is longer is cut here and whole in the report. */
const kLongestText = 400;

const cut = (text: string): string =>
  text.length <= kLongestText ? text : `${text.slice(0, kLongestText)}…`;

function valueText(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? formatCount(value) : String(value);
  }
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function pairsOf(document: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(document).map(([key, value]) => [key, valueText(value)] as const);
}

function shortFacts(inspection: Inspection): (readonly [string, string])[] {
  const { tensors } = inspection;
  const weights = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].join(', ');
  return [
    ['Format', `${formatName(inspection.format)} ${inspection.version}`],
    ['File', `${formatBytes(inspection.bytes)} (${formatCount(inspection.bytes)} bytes)`],
    ['Tensors', tensors.length === 0 ? 'none' : `${formatCount(tensors.length)} of ${types}`],
    ['Weights', formatBytes(weights)],
  ];
}

function meter(label: string, bytes: number, most: number): HTMLElement {
  const bar = element('meter');
  bar.min = 0;
  bar.max = most;
  bar.value = bytes;
  bar.setAttribute('aria-label', label);
  return element(
    'p',
    'memory-line',
    element('span', '', label),
    bar,
    element('span', 'amount', formatBytes(bytes)),
  );
}

function memoryView({ memory, bytes }: Inspection): Node[] {
  if (memory === null) {
    return [element('p', 'note', 'Nothing in this file can be run.')];
  }
  const most = Math.max(bytes, memory.asStored, memory.int8);
  return [
    element('p', 'note', 'Memory to run it, estimated'),
    meter('As stored', memory.asStored, most),
    meter('As int8', memory.int8, most),
  ];
}

function showPairs(id: string, document: Readonly<Record<string, unknown>> | null): void {
  const pairs = document === null ? [] : pairsOf(document);
  byId(id, HTMLElement).hidden = pairs.length === 0;
  fillFacts(byId(`${id}-facts`, HTMLDListElement), pairs);
}

export function mountFactsView(store: Store<CheckState>): void {
  const about = byId('about', HTMLElement);
  const facts = byId('about-facts', HTMLDListElement);
  const memory = byId('memory', HTMLElement);
  let shown: Inspection | null = null;
  store.watch(['files', 'selected'], (state) => {
    const inspection = selectedFile(state)?.inspection ?? null;
    if (inspection === shown && shown !== null) {
      return;
    }
    shown = inspection;
    about.hidden = inspection === null;
    showPairs('metadata', inspection?.metadata ?? null);
    showPairs('config', inspection?.config ?? null);
    if (inspection !== null) {
      fillFacts(facts, shortFacts(inspection));
      memory.replaceChildren(...memoryView(inspection));
    }
  });
}
