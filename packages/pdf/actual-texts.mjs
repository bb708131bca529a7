// Teaches PDF.js to tell the text that marked content stands for (`/ActualText`). It reads the letters that are drawn
// instead, and has no option for this.

/** `case beginMarkedContentProps` of `getTextContent`, where the properties of the marked content are at hand. */
const mark =
  /(\w+)\[1\]instanceof (\w+)&&\((\w+)=\1\[1\]\.get\("MCID"\)\),(\w+)\.items\.push\(\{type:"beginMarkedContentProps",/g;
/** The function that makes a text of the bytes of a string. */
const decoder = /typeof (\w+)=="string"&&\((\w+)\.alt=(\w+)\(\1\)\)/g;
/** The resources of the content. Properties may be a name that stands for those there. */
const resources = /\?\?=(\w+)\.get\("XObject"\)\|\|/g;

export const actualTexts = {
  name: 'ambry-actual-texts',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform(code, id) {
    if (!/\/unpdf\/dist\/pdfjs\.mjs$/.test(id.replaceAll('\\', '/'))) {
      return null;
    }
    const [, properties, dictionary] = only(code, mark);
    const [, , , decode] = only(code, decoder);
    const [, own] = only(code, resources);
    const found = `(${properties}[1]instanceof ${dictionary}?${properties}[1]:${own}.get("Properties")?.get?.(${properties}[1]?.name))`;
    const text = `((t)=>typeof t=="string"?${decode}(t):null)(${found}?.get?.("ActualText"))`;
    return { code: code.replace(mark, `$&actualText:${text},`), map: null };
  },
};

/**
 * The one place that a pattern matches.
 * @param {string} code
 * @param {RegExp} pattern
 * @returns {readonly string[]}
 */
function only(code, pattern) {
  const [found, ...more] = code.matchAll(pattern);
  if (!found || more.length > 0) {
    throw new Error(
      `${pattern} does not match one place of PDF.js. Adapt packages/pdf/actual-texts.mjs to this version of unpdf.`,
    );
  }
  return found;
}
