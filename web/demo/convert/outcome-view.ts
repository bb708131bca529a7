// Shows the converted file: its size, the losses, and the result of the check.

import type { Problem } from 'ambry';
import { formatAmount, formatBytes } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { sizeBar } from '../shared/dom/size-bar.ts';
import { saveFile } from '../shared/files/save-file.ts';
import { agreementLine } from './agreement-line.ts';
import { mountLossTable } from './loss-table.ts';
import { reportDocument } from './report-document.ts';
import type { ConvertSession } from './session.ts';
import type { ConvertState, Outcome } from './state.ts';

function verdictOf({ check }: Outcome): { verdict: string; mark: string; text: string } {
  if (check === null) {
    return { verdict: 'waiting', mark: '…', text: 'Checking…' };
  }
  if (!check.valid) {
    const errors = formatAmount(check.errors.length, 'error');
    return {
      verdict: 'invalid',
      mark: '✕',
      text: `The check found ${errors}. Keep the source file.`,
    };
  }
  return { verdict: 'valid', mark: '✓', text: 'Checked: structure and checksums are correct.' };
}

function lineOf(outcome: Outcome): string {
  const { check, content } = outcome;
  const format = check?.format ?? null;
  const what = format === null ? '' : `${formatName(format)} ${check?.version ?? ''}`.trim();
  const size = formatBytes(content.size);
  return `${what === '' ? size : `${what}, ${size}`}. ${verdictOf(outcome).text}`;
}

function lossItem({ path, message }: Problem): HTMLElement {
  return element('li', '', path === undefined ? message : `${path}: ${message}`);
}

export function mountOutcomeView(store: Store<ConvertState>, session: ConvertSession): void {
  const article = byId('outcome', HTMLElement);
  const header = byId('outcome-verdict', HTMLElement);
  const mark = byId('outcome-mark', HTMLElement);
  const name = byId('outcome-name', HTMLElement);
  const line = byId('outcome-line', HTMLElement);
  const sizes = byId('sizes', HTMLElement);
  const agreement = byId('agreement', HTMLElement);
  const losses = byId('losses', HTMLElement);
  const lossList = byId('loss-list', HTMLUListElement);

  byId('save', HTMLButtonElement).addEventListener('click', () => void session.save());
  byId('save-report', HTMLButtonElement).addEventListener('click', () => {
    const { outcome } = store.state;
    if (outcome !== null) {
      const text = jsonOf(reportDocument(outcome, store.state));
      saveFile(new Blob([text], { type: 'application/json' }), `${outcome.name}.json`);
    }
  });
  mountLossTable(store);

  store.watch(['outcome'], ({ outcome }) => {
    article.hidden = outcome === null;
    if (outcome === null) {
      return;
    }
    const { verdict, mark: sign } = verdictOf(outcome);
    header.dataset['verdict'] = verdict;
    mark.textContent = sign;
    name.textContent = outcome.name;
    line.textContent = lineOf(outcome);
    const { bytesBefore, content, warnings } = outcome;
    const max = Math.max(bytesBefore, content.size);
    sizes.replaceChildren(sizeBar('Before', bytesBefore, max), sizeBar('After', content.size, max));
    agreement.hidden = outcome.agreement === null;
    agreement.textContent = outcome.agreement === null ? '' : agreementLine(outcome.agreement);
    losses.hidden = warnings.length === 0;
    lossList.replaceChildren(...warnings.map(lossItem));
  });
}
