// What can be shared of a conversion: the link, the errors of the values in three forms, and the command.

import { formatAmount } from '../shared/base/format.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { snippetModel } from '../shared/share/model-address.ts';
import { fileLink } from '../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../shared/share/share-texts.ts';
import { commandSnippet, type Snippet } from '../shared/share/snippets.ts';
import { csvOf, markdownOf, type Row } from '../shared/share/table-texts.ts';
import { byLoss } from './loss-table.ts';
import { reportDocument } from './report-document.ts';
import type { ConvertState, Outcome } from './state.ts';
import { storageTypeOf } from './storage-types.ts';

const lossRows = ({ report }: Outcome): Row[] =>
  byLoss(report?.tensors ?? []).map((tensor) => ({
    name: tensor.name,
    from: tensor.from,
    to: tensor.to,
    bytesBefore: tensor.bytesBefore,
    bytes: tensor.bytes,
    relativeError: tensor.relativeError,
    maxAbsError: tensor.maxAbsError,
    cosine: tensor.cosine,
  }));

function resultsOf(state: ConvertState): ShareResults | null {
  const { outcome } = state;
  if (outcome === null) {
    return null;
  }
  const rows = lossRows(outcome);
  return {
    what: rows.length > 0 ? `the report with ${formatAmount(rows.length, 'tensor')}` : 'the report',
    fileName: `${outcome.name}.report`,
    texts: {
      Markdown: () => markdownOf(`Errors of ${outcome.name}`, rows),
      CSV: () => csvOf(rows),
      JSON: () => jsonOf(reportDocument(outcome, state)),
    },
  };
}

/** The command line of `settings`. */
function commandOf({ source, settings, outcome }: ConvertState): readonly string[] {
  const { from, arch, to, storage, block, bits, lossy } = settings;
  const { address } = snippetModel(source?.files, source?.name ?? '');
  const type = storageTypeOf(to, storage);
  return [
    type.quantizes === true ? 'quantize' : 'convert',
    address,
    outcome?.name ?? `out.${to}`,
    '--to',
    to,
    ...(type.quantizes === true ? ['--type', storage] : storage === '' ? [] : ['--dtype', storage]),
    ...(type.hasBlocks === true ? ['--block', String(block)] : []),
    ...(type.hasBits === true ? ['--bits', String(bits)] : []),
    ...(from === '' ? [] : ['--from', from]),
    ...(arch === '' ? [] : ['--arch', arch]),
    ...(lossy ? ['--lossy'] : []),
  ];
}

const snippetsOf = (state: ConvertState): readonly Snippet[] =>
  state.source === null || state.outcome === null ? [] : [commandSnippet(...commandOf(state))];

export const shareOutcome = (store: Store<ConvertState>, address: Address): ShareTexts => ({
  link: () => fileLink(address.link(), store.state.source?.files),
  results: () => resultsOf(store.state),
  snippets: () => snippetsOf(store.state),
});
