// Where the files of `<ambry-search>` are, below the folder of an index. The build of the package makes them so.

/** The script that a page names. */
export const elementScript = 'ambry-search.js';
/** The folder of what the script fetches later. Each name has a hash of what the file holds. */
export const elementFolder = 'element';
/** The script begins with it, so that a script of somebody else is told apart. */
export const elementBanner = '/*! ambry-site-search';
