// The results as Markdown. Works without a page.

import { formatScore } from '../../shared/format.ts';
import type { Answer } from '../state.ts';
import { locationOf } from './result-view.ts';

/** Escapes characters that have a meaning in Markdown. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2');
}

const quoted = (text: string): string =>
  escaped(text)
    .split('\n')
    .map((line) => `   > ${line}`.trimEnd())
    .join('\n');

export function resultsMarkdown({ query, hits, nearDuplicates }: Answer): string {
  const items = hits.map((hit, at) => {
    const others = nearDuplicates?.get(hit)?.length ?? 0;
    const place = locationOf(hit.doc);
    const name = place === '' ? '' : `**${escaped(place)}** `;
    const more = others > 0 ? `, ${others} more like this` : '';
    return `${at + 1}. ${name}(${formatScore(hit.score)})${more}\n\n${quoted(hit.text)}\n`;
  });
  return [`## ${escaped(query)}\n`, ...items].join('\n');
}
