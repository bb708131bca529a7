// Signs within words that a search would not find.

/** Signs that nobody sees, such as those that say where a word may be cut. U+200B goes unless it stands between words of a
 *  script that is written without spaces. */
const unseen =
  /[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<![\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}])\u200b/gu;

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}
