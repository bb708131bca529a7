// Shows the name and format of the source, and what is wrong with it.

import { formatAmount, formatBytes } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import type { Store } from '../shared/base/store.ts';
import { byId } from '../shared/dom/dom.ts';
import type { ConvertSession } from './session.ts';
import type { ConvertState } from './state.ts';

function factsOf({ source, inspection, targets }: ConvertState): string {
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

/** The look of the box (open-file.css), and its mark. */
function verdictOf({ targets, fault }: ConvertState): readonly [verdict: string, mark: string] {
  if (fault !== null) {
    return [fault.kind === 'cutOff' ? 'cutOff' : 'invalid', '✕'];
  }
  return targets === null ? ['unknown', '?'] : ['valid', '✓'];
}

export function mountSourceView(store: Store<ConvertState>, session: ConvertSession): void {
  const choice = byId('choice', HTMLElement);
  const header = byId('source', HTMLElement);
  const mark = byId('source-mark', HTMLElement);
  const name = byId('source-name', HTMLElement);
  const line = byId('source-line', HTMLElement);
  const check = byId('source-check', HTMLButtonElement);
  check.addEventListener('click', () => void session.checkIt());
  store.watch(['source', 'inspection', 'targets', 'fault'], (state) => {
    const { source, fault } = state;
    choice.hidden = source === null;
    if (source === null) {
      return;
    }
    const [verdict, sign] = verdictOf(state);
    header.dataset['verdict'] = verdict;
    mark.textContent = sign;
    name.textContent = source.name;
    line.textContent = fault === null ? factsOf(state) : `${fault.sentence} ${factsOf(state)}`;
    check.hidden = fault === null;
  });
}
