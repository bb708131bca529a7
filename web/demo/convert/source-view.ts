// Shows the name and format of the source.

import { formatAmount, formatBytes } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { ConvertState } from './state.ts';

function lineOf({ source, inspection, targets }: ConvertState): string {
  const size = formatBytes(source?.bytes ?? 0);
  if (targets === null) {
    return `${size}. The format is unknown.`;
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
  store.watch(['source', 'inspection', 'targets'], (state) => {
    const { source, targets } = state;
    choice.hidden = source === null;
    if (source === null) {
      return;
    }
    header.dataset['verdict'] = targets === null ? 'unknown' : 'valid';
    mark.textContent = targets === null ? '?' : '✓';
    name.textContent = source.name;
    line.textContent = lineOf(state);
  });
}
