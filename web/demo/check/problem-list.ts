// Lists errors and warnings in the order of the file. Each has a dump of the bytes around it.

import type { Problem } from 'ambry';
import { formatAmount, formatCount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { bytesOfHex, hexDump } from './bytes/hex-view.ts';
import { type CheckState, selectedFile } from './session/state.ts';

/** A file can have thousands of problems. They are shown in parts of this size. */
const problemsPerPart = 20;

interface Finding {
  readonly problem: Problem;
  readonly severity: 'error' | 'warning';
}

const offsetOf = ({ problem }: Finding): number => problem.byteOffset ?? -1;

/** The findings of a folder stay in the order of its files. */
function findingsOf(state: CheckState): Finding[] {
  const { report = null, run = null } = selectedFile(state) ?? {};
  // A file of an unknown format has one error, and the verdict shows it.
  if (report === null || report.format === null) {
    return [];
  }
  const tag = (severity: Finding['severity']) => (problem: Problem) => ({ problem, severity });
  const all = [...report.errors.map(tag('error')), ...report.warnings.map(tag('warning'))];
  return run?.files ? all : all.sort((a, b) => offsetOf(a) - offsetOf(b));
}

/** `Mismatch at byte 56 (0x38), header.header_checksum` */
export function placeOf({ code, byteOffset, path }: Problem): HTMLElement {
  const place = element('p', 'finding-place', element('span', 'code', code));
  if (byteOffset !== undefined) {
    place.append(
      ` at byte ${formatCount(byteOffset)} `,
      element('span', 'soft', `(0x${byteOffset.toString(16).toUpperCase()})`),
    );
  }
  if (path !== undefined && path !== '') {
    place.append(', ', element('code', '', path));
  }
  return place;
}

function itemFor({ problem, severity }: Finding): HTMLLIElement {
  const { byteOffset, context, message } = problem;
  const item = element('li', `finding ${severity}`, placeOf(problem), element('p', '', message));
  item.prepend(element('p', 'severity', severity === 'error' ? 'Error' : 'Warning'));
  if (context !== undefined && byteOffset !== undefined) {
    item.append(hexDump(bytesOfHex(context.hex), context.offset, byteOffset));
  }
  return item;
}

export function mountProblemList(store: Store<CheckState>): void {
  const region = byId('problems', HTMLElement);
  const title = byId('problems-title', HTMLElement);
  const list = byId('problem-list', HTMLOListElement);
  const more = byId('more-problems', HTMLButtonElement);
  let findings: readonly Finding[] = [];

  const showMore = (): void => {
    const from = list.childElementCount;
    list.append(...findings.slice(from, from + problemsPerPart).map(itemFor));
    const left = findings.length - list.childElementCount;
    more.hidden = left === 0;
    more.textContent = `Show ${formatAmount(Math.min(left, problemsPerPart), 'more problem')} of ${formatCount(left)}`;
  };
  more.addEventListener('click', showMore);
  store.watch(['files', 'selected'], (state) => {
    findings = findingsOf(state);
    region.hidden = findings.length === 0;
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    title.textContent = [
      errors > 0 ? formatAmount(errors, 'error') : '',
      findings.length > errors ? formatAmount(findings.length - errors, 'warning') : '',
    ]
      .filter((text) => text !== '')
      .join(' and ');
    list.replaceChildren();
    showMore();
  });
}
