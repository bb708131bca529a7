// Which words of a query say something.
import { queryTerms } from '../../../../packages/site-search/src/shared/terms.ts';

const enoughWords = 3;

const functionWords = new Set(
  `a about after all also an and any are as at be been before but by can could did do does for from had has have how i if in
  into is it its just like may more most my no not of on one only or other our out over s should so some such t than that the
  their them then there these they this to too under up use used using was we were what when where which while who why will
  with without would you your`.split(/\s+/),
);
/** Words that say how a page was edited, and not what it is about. */
const editingWords = new Set(
  `add added adding adds adjust apply address backport better bug bugs capitalize change changed changes changing chapter
  chapters chore clarification clarifications clarified clarifies clarify cleanup comments consistency consistent copyedit copyedits
  correct corrected correcting correction corrections corrects doc docs docx document documentation documented edit edited
  edits explain explanation feat fix fixed fixes fixing fixup formatting grammar grammatical improve improved improvement
  improvements improves improving incorrect incorrectly issue issues link links listing listings little markdown mention mentions
  minor misspelling mistake mistakes nit nits nostarch outdated page pages paragraph paragraphs phrasing pr propagate punctuation reformat
  regenerate remove removed removes removing rename rephrase review reword rewording rewrite section sections sentence
  sentences slight slightly small snapshot spelling suggestion suggestions tech todo translation tweak tweaks typo typos
  unnecessary update updated updates updating url wording wrap wrapping wrong`.split(/\s+/),
);

/** The words that say something. */
export function contentWords(text: string): string[] {
  const words = queryTerms(text).map(({ word }) => word.toLowerCase());
  return words.filter((word) => !functionWords.has(word) && !/^\d+$/.test(word));
}

/** Whether a query has three of them. */
export const saysEnough = (text: string): boolean => contentWords(text).length >= enoughWords;

/** What a reader might type of the title of a change; undefined if it says too little. */
export function searchText(title: string): string | undefined {
  if (/^(merge|revert|update [^ ]*\.mdx?$)/i.test(title) || /\w\.mdx?\b/i.test(title)) {
    return undefined;
  }
  const plain = title
    .replace(/\((?:[^()]*?)#\d+[^()]*\)|\b(?:fixes|closes|refs?)?:? *#\d+/gi, '')
    .replace(/^(\[[^\]]*\] *)?(\w+(\([^)]*\))?!?: *)?/, '')
    .replace(
      /\b(ch|chapters?|appendix|section|listings?|figure)?\.? *\d+([.-]\d+)* *(§ *\d+)?:?/gi,
      '',
    );
  const words = plain.split(/\s+/).filter((word) => !editingWords.has(bare(word)));
  const text = words.join(' ').trim();
  return saysEnough(text) ? text : undefined;
}

const bare = (word: string): string => word.toLowerCase().replace(/^\W+|\W+$/g, '');
