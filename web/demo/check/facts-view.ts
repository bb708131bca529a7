// Shows a summary of the file, its metadata and its configuration.

import type { Inspection } from 'ambry';
import { formatBytes, formatCount } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, fillFacts } from '../shared/dom/dom.ts';
import { showPairs } from '../shared/dom/value-view.ts';
import { type CheckState, selectedFile } from './session/state.ts';

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

export function mountFactsView(store: Store<CheckState>): void {
  const about = byId('about', HTMLElement);
  const facts = byId('about-facts', HTMLDListElement);
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
    }
  });
}
