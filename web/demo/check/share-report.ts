// What can be shared of a report: the link, the tensors in three forms, and how to check the file elsewhere.

import { formatAmount } from '../shared/base/format.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { snippetModel } from '../shared/share/model-address.ts';
import { fileLink } from '../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../shared/share/share-texts.ts';
import { checkSnippet, commandSnippet, type Snippet } from '../shared/share/snippets.ts';
import { csvOf, markdownOf, type Row } from '../shared/share/table-texts.ts';
import { reportDocument } from './report-document.ts';
import { type CheckedFile, type CheckState, selectedFile } from './session/state.ts';

function tensorRows({ inspection }: Pick<CheckedFile, 'inspection'>): Row[] {
  return (inspection?.tensors ?? []).map(({ name, dtype, shape, offset, bytes }) => ({
    name,
    type: dtype,
    shape: shape.join(' × '),
    offset,
    bytes,
  }));
}

const problemRows = ({ report }: CheckedFile): Row[] =>
  (['errors', 'warnings'] as const).flatMap((kind) =>
    (report?.[kind] ?? []).map(({ code, path, message, byteOffset }) => ({
      severity: kind === 'errors' ? 'error' : 'warning',
      code,
      field: path,
      byte: byteOffset,
      message,
    })),
  );

function markdownReport(file: CheckedFile): string {
  const problems = problemRows(file);
  const tensors = tensorRows(file);
  return [
    problems.length > 0 ? markdownOf(`Problems of ${file.name}`, problems) : '',
    tensors.length > 0 ? markdownOf(`Tensors of ${file.name}`, tensors) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function resultsOf(file: CheckedFile | null): ShareResults | null {
  if (file === null) {
    return null;
  }
  const rows = tensorRows(file);
  const csv = rows.length > 0 ? rows : problemRows(file);
  return {
    what: rows.length > 0 ? `the report with ${formatAmount(rows.length, 'tensor')}` : 'the report',
    fileName: `${file.name.split('/').pop()}.report`,
    texts: {
      Markdown: () => markdownReport(file),
      CSV: () => csvOf(csv),
      JSON: () => jsonOf(reportDocument(file)),
    },
  };
}

function snippetsOf(file: CheckedFile | null): readonly Snippet[] {
  if (file === null) {
    return [];
  }
  const model = snippetModel(file.source, file.name.split('/').pop() ?? file.name);
  return [checkSnippet(model), commandSnippet('validate', model.address)];
}

export const shareReport = (store: Store<CheckState>, address: Address): ShareTexts => ({
  link: () => fileLink(address.link(), selectedFile(store.state)?.source),
  results: () => resultsOf(selectedFile(store.state)),
  snippets: () => snippetsOf(selectedFile(store.state)),
});
