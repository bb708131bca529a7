// The verdict on the file, and the buttons for what can be done next.

import type { ValidationReport } from 'ambry';
import { formatAmount, formatBytes } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { cutOffLine, cutOffOf } from '../shared/failures/cut-off.ts';
import { messageOf } from '../shared/failures/message.ts';
import { type Plain, plainOfModel } from '../shared/failures/plain.ts';
import { fileSizeOf, sizeOf } from '../shared/files/given-sources.ts';
import { saveFile } from '../shared/files/save-file.ts';
import { verdictLabels } from './file-list.ts';
import { placeOf } from './problem-list.ts';
import { reportDocument } from './report-document.ts';
import type { CheckSession } from './session/session.ts';
import {
  type CheckedFile,
  type CheckState,
  selectedFile,
  type Verdict,
  verdictOf,
} from './session/state.ts';

/** Only a file whose bytes were all read has a tick. */
const verdictMarks: Readonly<Record<Verdict, string>> = {
  waiting: '…',
  valid: '✓',
  partial: '–',
  warned: '!',
  invalid: '✕',
  cutOff: '✕',
  unknown: '?',
  unreadable: '✕',
  runs: '→',
  stopped: '✕',
};

function sizeText({ source, inspection }: CheckedFile): string {
  const bytes = sizeOf(source) ?? inspection?.bytes;
  return bytes === undefined ? '' : `, ${formatBytes(bytes)}`;
}

/** Says how much was checked, so that nobody takes a quick check for a full one. */
function depthText(report: ValidationReport): string {
  switch (report.depth) {
    case 'headers':
      return 'Headers and tables were checked. The rest was not downloaded: vocabulary, weights, checksums and values were not checked.';
    case 'structure':
      return 'Headers, tables and the vocabulary were checked. The weights were not read: checksums and values were not checked.';
    case 'checksums':
      return 'Structure and checksums were checked. Values were not: some could be NaN.';
    default:
      return 'Structure, checksums and all values were checked.';
  }
}

const lineOfPlain = ({ sentence, advice }: Plain): string => `${sentence} ${advice}`.trim();

/** What a file is that is no model, and what can be done with it. */
function unknownLine(file: CheckedFile, { errors }: ValidationReport): string {
  const plain = file.explanation?.plain;
  return plain === undefined
    ? `${errors[0]?.message ?? verdictLabels.unknown}${sizeText(file)}.`
    : lineOfPlain(plain);
}

/** The exact message, where the line has plain words instead. Empty if the line is the message. */
function exactMessage({ failure, report, explanation }: CheckedFile): string {
  if (failure !== null) {
    return plainOfModel(failure) === null ? '' : messageOf(failure);
  }
  const [error] = report?.errors ?? [];
  return explanation?.plain === undefined || error === undefined
    ? ''
    : `${error.code}: ${messageOf(new Error(error.message))}`;
}

function lineOf(file: CheckedFile): string {
  if (file.failure !== null) {
    const plain = plainOfModel(file.failure, undefined, fileSizeOf(file.source));
    return plain === null ? messageOf(file.failure) : lineOfPlain(plain);
  }
  const { report, run } = file;
  const cut = cutOffOf(report?.errors ?? []);
  if (cut !== null) {
    const known = typeof file.source === 'string' ? file.inspection?.bytes : undefined;
    return cutOffLine(cut, fileSizeOf(file.source) ?? known);
  }
  if (report === null || (report.format === null && run?.obstacle === null)) {
    return `${verdictLabels[verdictOf(file)]}${run === null ? '' : `${sizeText(file)}.`}`;
  }
  const verdict = verdictOf(file);
  if (report.format === null && verdict !== 'stopped') {
    return unknownLine(file, report);
  }
  const { errors, warnings } = report;
  const found =
    errors.length + warnings.length === 0
      ? ''
      : ` ${formatAmount(errors.length, 'error')}, ${formatAmount(warnings.length, 'warning')}.`;
  if (report.format === null || verdict === 'stopped') {
    return `${verdictLabels[verdict]}${sizeText(file)}.${found}`;
  }
  const what = [
    report.valid ? (verdict === 'partial' ? 'No error so far in' : 'Valid') : 'Damaged',
    formatName(report.format),
    report.version ?? '',
  ];
  return `${what.join(' ').trim()}${sizeText(file)}.${found} ${depthText(report)}`;
}

/** Why the verdict is so, in the same box: the first problem, or what is here of a file that is cut off. */
function reasonOf(file: CheckedFile): readonly (Node | string)[] {
  const { report, tail } = file;
  if (report === null || report.format === null) {
    return [];
  }
  if (cutOffOf(report.errors) !== null && !(file.source instanceof Map)) {
    return [`It is ${formatName(report.format)} ${report.version ?? ''}`.trim(), '.'];
  }
  if (tail !== '') {
    return [tail];
  }
  const problem = report.errors[0] ?? report.warnings[0];
  return problem === undefined
    ? []
    : [messageOf(new Error(problem.message)), element('br'), placeOf(problem)];
}

export function mountVerdict(store: Store<CheckState>, session: CheckSession): void {
  const article = byId('report', HTMLElement);
  const header = byId('verdict', HTMLElement);
  const name = byId('report-name', HTMLElement);
  const line = byId('verdict-line', HTMLElement);
  const mark = byId('verdict-mark', HTMLElement);
  const checkAll = byId('check-all', HTMLButtonElement);
  const checkValues = byId('check-values', HTMLButtonElement);
  const repair = byId('repair', HTMLButtonElement);
  const save = byId('save-report', HTMLButtonElement);
  const details = byId('verdict-details', HTMLDetailsElement);
  const message = byId('verdict-message', HTMLElement);
  const reason = byId('verdict-reason', HTMLElement);
  const elsewhere = byId('open-elsewhere', HTMLButtonElement);

  checkAll.addEventListener('click', () => void session.checkDeeper('checksums'));
  checkValues.addEventListener('click', () => void session.checkDeeper('values'));
  elsewhere.addEventListener('click', () => {
    selectedFile(store.state)?.explanation?.remedy?.act();
  });
  repair.addEventListener('click', () => void session.repair());
  save.addEventListener('click', () => {
    const file = selectedFile(store.state);
    if (file !== null) {
      const text = jsonOf(reportDocument(file));
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
    mark.textContent = verdictMarks[verdict];
    name.textContent = file.name;
    line.textContent = lineOf(file);
    reason.replaceChildren(...reasonOf(file));
    reason.hidden = reason.childNodes.length === 0;
    message.textContent = exactMessage(file);
    details.hidden = message.textContent === '';
    const remedy = file.explanation?.remedy;
    elsewhere.hidden = remedy === undefined;
    elsewhere.textContent = remedy?.label ?? '';
    const { report } = file;
    const idle = state.job === null && report !== null && report.format !== null;
    checkAll.hidden =
      !idle || verdict === 'cutOff' || report.depth === 'checksums' || report.depth === 'values';
    checkValues.hidden = !idle || report.depth === 'values' || !report.valid;
    repair.hidden = !idle || !file.repairable;
    save.hidden = report === null && file.run === null;
  });
}
