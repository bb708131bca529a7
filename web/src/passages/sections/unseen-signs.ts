// Signs that nobody sees: they say where a word may be cut, or in which direction it runs. A search does not find a word with
// one in it.
import type { Block } from './section.ts';

/** The zero width space goes unless it stands between words of a script that is written without spaces. */
const unseenSigns =
  /[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<![\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}])\u200b/gu;
const mayBeUnseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

export function withoutUnseen(text: string): string {
  return mayBeUnseen.test(text) ? text.replace(unseenSigns, '') : text;
}

/** The block without them. The places of its text stay right. */
export function seenBlock(block: Block): Block {
  if (!mayBeUnseen.test(block.text)) {
    return block;
  }
  const { marks } = block;
  const text = withoutUnseen(block.text);
  return marks
    ? { ...block, text, marks: { ...marks, ats: movedAts(block.text, marks.ats) } }
    : { ...block, text };
}

function movedAts(text: string, ats: readonly number[]): number[] {
  const places = [...text.matchAll(unseenSigns)].map(({ index }) => index);
  let before = 0;
  return ats.map((at) => {
    while ((places[before] ?? Infinity) < at) {
      before++;
    }
    return at - before;
  });
}
