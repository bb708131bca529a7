// Ranges of versions, as far as the manifests here use them: 1.2.3, ^1.2.3, >=1.2.3, and several with ||.

const form = /^(\^|>=)?(\d+)\.(\d+)\.(\d+)$/;

const compare = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
  a.map((number, i) => number - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;

/**
 * @param {string} version
 * @param {string} range
 */
export function satisfies(version, range) {
  const found = version
    .replace(/[-+].*$/, '')
    .split('.')
    .map(Number);
  return range.split('||').some((part) => {
    const [, sign, ...numbers] = form.exec(part.trim()) ?? [];
    if (numbers.length === 0) {
      throw new Error(`${range} is a range that packages/build/publish/ranges.mjs does not know`);
    }
    const wanted = numbers.map(Number);
    const order = compare(found, wanted);
    if (sign === undefined) {
      return order === 0;
    }
    // The first number that is not 0 stays.
    const fixed = sign === '^' ? wanted.findIndex((number) => number > 0) + 1 : 0;
    return order >= 0 && compare(found.slice(0, fixed), wanted) === 0;
  });
}
