// Says what the model runs as and in how much memory, or what stands in the way.

import type { Inspection, RunReport } from 'ambry';
import { kindNames } from 'ambry/tables';
import { formatBytes } from '../shared/base/format.ts';
import { formatName } from '../shared/base/format-names.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { sizeBar } from '../shared/dom/size-bar.ts';
import { cutOffOf } from '../shared/failures/cut-off.ts';
import { placeOf } from './problem-list.ts';
import { type CheckState, selectedFile } from './session/state.ts';

/** Whether it opens as a model that fills in missing words, too. A file says so itself, and a folder by the name of its class. */
const fillsMasks = ({ kind, warnings }: RunReport, config: Inspection['config']): boolean =>
  kind === 'encoder' &&
  ((config?.['tokenHead'] as { readonly kind?: unknown } | undefined)?.kind === 'fillMask' ||
    warnings.some(({ message }) => /\w+ForMaskedLM\b/.test(message)));

function sentence({ kind, format, converts, memory }: RunReport): string {
  const what = kind === null ? '' : ` as ${kindNames[kind]}`;
  const how = converts && format !== null ? ` after conversion to ${formatName(format)}` : '';
  const size = memory === null ? '' : `, in about ${formatBytes(memory.asStored)} of memory`;
  return `Runs${what}${how}${size}.`;
}

function memoryBars({ memory }: RunReport): Node[] {
  if (memory === null || memory.int8 === null) {
    return [];
  }
  const max = Math.max(memory.asStored, memory.int8);
  return [
    element('p', 'note', 'Estimated memory to run it'),
    sizeBar('As stored', memory.asStored, max),
    sizeBar('As int8', memory.int8, max),
  ];
}

function fileSizes({ files = [] }: RunReport): Node[] {
  if (files.length === 0) {
    return [];
  }
  const items = files.map(({ name, bytes }) =>
    element('li', '', element('code', '', name), `, ${formatBytes(bytes)}`),
  );
  const summary = element('summary', '', `${files.length} files`);
  return [element('details', 'run-files', summary, element('ul', '', ...items))];
}

/** The parts of the section under its heading. */
function partsOf(
  run: RunReport,
  warnings: RunReport['warnings'],
  config: Inspection['config'] = null,
): Node[] {
  const { obstacle } = run;
  const warned = warnings.map((warning) =>
    element('div', 'finding', placeOf(warning), element('p', '', warning.message)),
  );
  if (obstacle === null) {
    const also = fillsMasks(run, config)
      ? [element('p', '', `With kind: 'fillMask' it opens as ${kindNames.fillMask}.`)]
      : [];
    return [
      element('p', '', sentence(run)),
      ...also,
      ...memoryBars(run),
      ...warned,
      ...fileSizes(run),
    ];
  }
  const box = element(
    'div',
    'finding error',
    element('p', 'severity', 'Stands in the way'),
    placeOf(obstacle),
    element('p', '', obstacle.message),
  );
  return [box, ...warned, ...fileSizes(run)];
}

export function mountRunView(store: Store<CheckState>): void {
  const section = byId('run', HTMLElement);
  const parts = byId('run-parts', HTMLElement);
  let shown: readonly [RunReport, boolean] | null = null;
  store.watch(['files', 'selected'], (state) => {
    const { run = null, report = null, inspection = null } = selectedFile(state) ?? {};
    // What is missing is the one problem of a file that is cut off.
    section.hidden = run === null || cutOffOf(report?.errors ?? []) !== null;
    // The report of a folder lists the warnings with its findings.
    const listed = run?.files !== undefined && report !== null;
    if (run === null || (run === shown?.[0] && listed === shown[1])) {
      return;
    }
    shown = [run, listed];
    parts.replaceChildren(...partsOf(run, listed ? [] : run.warnings, inspection?.config));
  });
}
