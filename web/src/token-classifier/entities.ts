// The entities of texts by the numbers of their tokens.

import { codePointsOf } from '../token-head/offsets.ts';
import type { TokenRows } from '../token-head/protocol.ts';
import { type Span, spansOf, withoutOverlaps } from './spans.ts';
import { type LabelledToken, windowsOfTexts } from './token-windows.ts';
import { type TagOptions, type TextEntity, tagDefaults } from './types.ts';

/** The spans of each text that the options ask for, in the order of the text. */
export function spansOfTexts(
  rows: TokenRows,
  count: number,
  labels: readonly string[],
  options: TagOptions,
): Span[][] {
  return windowsOfTexts(rows, count).map((windows) => spansOfText(windows, labels, options));
}

function spansOfText(
  windows: readonly (readonly LabelledToken[])[],
  labels: readonly string[],
  {
    aggregation = tagDefaults.aggregation,
    ignore = tagDefaults.ignore,
    threshold = tagDefaults.threshold,
    labels: wanted,
  }: TagOptions,
): Span[] {
  const ignored: readonly string[] = ignore;
  const all = windows.flatMap((tokens) =>
    spansOf(tokens, labels, aggregation).filter(({ label }) => !ignored.includes(label)),
  );
  const spans = windows.length > 1 ? withoutOverlaps(all) : all;
  return spans.filter(
    ({ label, score }) => !(score < threshold) && (wanted?.includes(label) ?? true),
  );
}

/** The spans with their parts of the text, and with offsets in the unit that the options ask for. */
export function entitiesOf(
  text: string,
  spans: readonly Span[],
  { offsets = tagDefaults.offsets }: TagOptions,
): TextEntity[] {
  const at = offsets === 'codePoints' ? codePointsOf(text) : (offset: number) => offset;
  return spans.map(({ label, start, end, score }) => ({
    label,
    start: at(start),
    end: at(end),
    text: text.slice(start, end),
    score,
  }));
}
