// What was dropped turned out to be.

import { byId } from '../shared/dom.ts';
import { formatAmount, formatBytes } from '../shared/format.ts';
import { formatName } from '../shared/format-names.ts';
import type { Store } from '../shared/store.ts';
import type { ConvertState } from './state.ts';

function lineOf({ given, inspection, targets }: ConvertState): string {
  const size = formatBytes(given?.bytes ?? 0);
  if (targets === null) {
    return `${size}. What it is could not be told.`;
  }
  const name = formatName(targets.from);
  if (inspection === null) {
    return `${name}, ${size}.`;
  }
  const { tensors, version } = inspection;
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].join(', ');
  const weights =
    tensors.length === 0 ? '' : ` ${formatAmount(tensors.length, 'tensor')} of ${types}.`;
  return `${`${name} ${version}`.trim()}, ${size}.${weights}`;
}

export function mountSourceView(store: Store<ConvertState>): void {
  const choice = byId('choice', HTMLElement);
  const header = byId('source', HTMLElement);
  const mark = byId('source-mark', HTMLElement);
  const name = byId('source-name', HTMLElement);
  const line = byId('source-line', HTMLElement);
  store.watch(['given', 'inspection', 'targets'], (state) => {
    const { given, targets } = state;
    choice.hidden = given === null;
    if (given === null) {
      return;
    }
    header.dataset['verdict'] = targets === null ? 'unknown' : 'valid';
    mark.textContent = targets === null ? '?' : '✓';
    name.textContent = given.name;
    line.textContent = lineOf(state);
  });
}
