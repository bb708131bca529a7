// The results as Markdown. Works without a page.

import { formatScore } from '../../shared/base/format.ts';
import { escapedMarkdown } from '../../shared/share/table-texts.ts';
import type { Answer } from '../state/state.ts';
import { locationOf } from './result-view.ts';

const quoted = (text: string): string =>
  escapedMarkdown(text)
    .split('\n')
    .map((line) => `   > ${line}`.trimEnd())
    .join('\n');

export function resultsMarkdown({ query, hits, nearDuplicates }: Answer): string {
  const items = hits.map((hit, at) => {
    const others = nearDuplicates?.get(hit)?.length ?? 0;
    const place = locationOf(hit.doc);
    const name = place === '' ? '' : `**${escapedMarkdown(place)}** `;
    const more = others > 0 ? `, ${others} more like this` : '';
    return `${at + 1}. ${name}(${formatScore(hit.score)})${more}\n\n${quoted(hit.text)}\n`;
  });
  return [`## ${escapedMarkdown(query)}\n`, ...items].join('\n');
}
