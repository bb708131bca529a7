// The answers as Markdown, for whatever one writes into. Knows nothing of the page.

import { formatScore } from '../../shared/format.ts';
import type { Answer } from '../state.ts';
import { placeOf } from './result-view.ts';

/** Text that Markdown would take for markup means itself again. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2');
}

const quoted = (text: string): string =>
  plain(text)
    .split('\n')
    .map((line) => `   > ${line}`.trimEnd())
    .join('\n');

export function resultsMarkdown({ query, hits, alike }: Answer): string {
  const items = hits.map((hit, at) => {
    const others = alike?.get(hit)?.length ?? 0;
    const place = placeOf(hit.doc);
    const name = place === '' ? '' : `**${plain(place)}** `;
    const more = others > 0 ? `, ${others} more like this` : '';
    return `${at + 1}. ${name}(${formatScore(hit.score)})${more}\n\n${quoted(hit.text)}\n`;
  });
  return [`## ${plain(query)}\n`, ...items].join('\n');
}
