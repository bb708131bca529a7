// What the reader knows of the elements of HTML.
const setOf = (names: string) => new Set(names.split(' '));

export const headingName = /^h[1-6]$/;

/** Begin and end a block of text. */
export const blockElements = setOf(
  'address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu ol p pre section summary table tbody td textarea tfoot th thead tr ul xmp',
);
/** These blocks are not closed by the elements around them as the others are, so nothing is kept of them. */
export const unkeptBlocks = setOf('form hr p');
/** The text keeps its lines. */
export const preformattedElements = setOf('pre listing xmp textarea');
/** Elements without text for readers, and navigation. They end with their own end tag. */
export const skippedElements = setOf(
  'template svg math nav object canvas audio video button select datalist',
);
/** Elements without text for readers, in which nothing is a tag. They end with their own end tag. */
export const skippedTexts = setOf('script style iframe noembed noframes');
/** Parts of a table. They belong to the innermost table, and are ignored outside. */
export const tableParts = setOf('caption colgroup col tbody tfoot thead tr td th');
/** Elements that begin an HTML element where an `svg` or `math` was not closed. */
export const breakouts = setOf(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
/** Elements in `svg` and `math` that hold HTML. */
export const foreignHolders = setOf('foreignobject desc title mi mo mn ms mtext annotation-xml');
