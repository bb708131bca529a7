/** How many characters of passages an index may have whose deflated text has `bytes`. A few bytes can become a thousand times as
 *  many, so that a small file could fill the memory. 16 million are always allowed, and 512 million never. Real passages shrink to a
 *  third or a tenth. */
export function mostCharacters(bytes: number): number {
  return Math.min(2 ** 24 + 200 * bytes, 2 ** 29 - 24);
}
