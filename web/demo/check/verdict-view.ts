// What the file is, whether it is whole, and what can be done next.

import type { ValidationReport } from 'ambry';
import { byId } from '../shared/dom.ts';
import { messageOf } from '../shared/failure-view.ts';
import { formatAmount, formatBytes } from '../shared/format.ts';
import { formatName } from '../shared/format-names.ts';
import { saveFile } from '../shared/save-file.ts';
import type { Store } from '../shared/store.ts';
import { verdictWords } from './file-list.ts';
import type { CheckSession } from './session.ts';
import {
  type CheckedFile,
  type CheckState,
  selectedFile,
  type Verdict,
  verdictOf,
} from './state.ts';

const kMarks: Readonly<Record<Verdict, string>> = {
  waiting: '…',
  valid: '✓',
  warned: '!',
  invalid: '✕',
  unknown: '?',
  unreadable: '✕',
};

function sizeOf({ source, inspection }: CheckedFile): string {
  const bytes = source instanceof File ? source.size : inspection?.bytes;
  return bytes === undefined ? '' : `, ${formatBytes(bytes)}`;
}

/** What was looked at, so that nobody takes a look at the headers for a full check. */
function depthWords(report: ValidationReport): string {
  switch (report.depth) {
    case 'headers':
      return 'Headers and tables were checked; the rest was not downloaded.';
    case 'structure':
      return 'Structure was checked, weights were not read.';
    case 'checksums':
      return 'Structure and checksums were checked.';
    default:
      return 'Structure, checksums and every number were checked.';
  }
}

function lineOf(file: CheckedFile): string {
  if (file.failure !== null) {
    return messageOf(file.failure);
  }
  const { report } = file;
  if (report === null) {
    return verdictWords.waiting;
  }
  if (report.format === null) {
    return `${report.errors[0]?.message ?? verdictWords.unknown}${sizeOf(file)}.`;
  }
  const { errors, warnings } = report;
  const found =
    errors.length + warnings.length === 0
      ? ''
      : ` ${formatAmount(errors.length, 'error')}, ${formatAmount(warnings.length, 'warning')}.`;
  const what = [
    report.valid ? 'Valid' : 'Damaged',
    formatName(report.format),
    report.version ?? '',
  ];
  return `${what.join(' ').trim()}${sizeOf(file)}.${found} ${depthWords(report)}`;
}

/** What `ambry inspect --json` and `ambry validate --json` say, in one document. */
function reportDocument({ name, inspection, report }: CheckedFile): unknown {
  return { file: name, ...report, inspection };
}

export function mountVerdict(store: Store<CheckState>, session: CheckSession): void {
  const article = byId('report', HTMLElement);
  const header = byId('verdict', HTMLElement);
  const name = byId('report-name', HTMLElement);
  const line = byId('verdict-line', HTMLElement);
  const mark = byId('verdict-mark', HTMLElement);
  const checkAll = byId('check-all', HTMLButtonElement);
  const checkValues = byId('check-values', HTMLButtonElement);
  const fix = byId('fix', HTMLButtonElement);
  const save = byId('save-report', HTMLButtonElement);

  checkAll.addEventListener('click', () => void session.deepen('checksums'));
  checkValues.addEventListener('click', () => void session.deepen('values'));
  fix.addEventListener('click', () => void session.fix());
  save.addEventListener('click', () => {
    const file = selectedFile(store.state);
    if (file !== null) {
      const text = JSON.stringify(reportDocument(file), null, 2);
      saveFile(
        new Blob([text], { type: 'application/json' }),
        `${file.name.split('/').pop()}.json`,
      );
    }
  });

  store.watch(['files', 'selected', 'job'], (state) => {
    const file = selectedFile(state);
    article.hidden = file === null;
    if (file === null) {
      return;
    }
    const verdict = verdictOf(file);
    header.dataset['verdict'] = verdict;
    mark.textContent = kMarks[verdict];
    name.textContent = file.name;
    line.textContent = lineOf(file);
    const { report } = file;
    const idle = state.job === null && report !== null && report.format !== null;
    checkAll.hidden = !idle || report.depth === 'checksums' || report.depth === 'values';
    checkValues.hidden = !idle || report.depth === 'values' || !report.valid;
    fix.hidden = !idle || !file.fixable;
    save.hidden = report === null;
  });
}
