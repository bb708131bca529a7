// Shows a summary of the file, its metadata and its configuration.

import type { Inspection } from 'ambry';
import { byId, element, fillFacts } from '../shared/dom.ts';
import { formatBytes, formatCount } from '../shared/format.ts';
import { formatName } from '../shared/format-names.ts';
import { sizeBar } from '../shared/size-bar.ts';
import type { Store } from '../shared/store.ts';
import { showPairs } from '../shared/value-view.ts';
import { type CheckState, selectedFile } from './state.ts';

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

function memoryView({ memory, bytes }: Inspection): Node[] {
  if (memory === null) {
    return [element('p', 'note', 'This file holds no model that can run.')];
  }
  const max = Math.max(bytes, memory.asStored, memory.int8);
  return [
    element('p', 'note', 'Estimated memory to run it'),
    sizeBar('As stored', memory.asStored, max),
    sizeBar('As int8', memory.int8, max),
  ];
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
