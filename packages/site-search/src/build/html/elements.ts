// What the elements of HTML mean for the text of a page.

/** Elements whose text is for programs, or for readers of something else than the page's text. The readings of ruby are
 *  among them: they would part the word that they belong to. So are the annotations of MathML, which say a formula again. */
export const skippedElements: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe object canvas audio video select button textarea dialog rp rt rtc annotation annotation-xml'.split(
    ' ',
  ),
);

/** Elements that surround the text of a page, unless the page says where its main content is. */
export const surroundings: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside']);
export const surroundingRoles: ReadonlySet<string> = new Set(
  'navigation banner contentinfo complementary search menu menubar toolbar'.split(' '),
);

/** Text before and after them is not one paragraph. */
export const blockElements: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol option p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Elements whose ids are the anchors of a heading in them that has none. */
export const anchorElements: ReadonlySet<string> = new Set(['section', 'article', 'div', 'li']);

export const isHeading = (name: string): boolean => /^h[1-6]$/.test(name);

/** Where a text is. The highest one that has text is the content of the page. */
export const regions = { body: 1, article: 2, roleMain: 4, main: 8, marked: 16 } as const;
