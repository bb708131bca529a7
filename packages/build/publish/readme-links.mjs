// The links of a README, as they work on the page of a registry: a relative link leads to no file there.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A link or a picture: `[text](target)`. Code between backticks has none. */
const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const code = /(^```.*?^```|`[^`\n]*`)/gms;

/**
 * @param {string} text of a README
 * @param {(target: string, isImage: boolean) => string} change
 */
function mapLinks(text, change) {
  return text
    .split(code)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(link, (_, mark, label, target) => {
            return `${mark}[${mapLinks(label, change)}](${change(target, mark === '!')})`;
          }),
    )
    .join('');
}

const isRelative = (/** @type {string} */ target) => !/^([a-z][a-z+.-]*:|#)/i.test(target);

/**
 * Makes relative links absolute.
 * @param {string} text
 * @param {{ root: string, folder: string, addresses: import('./addresses.mjs').Addresses }} place `folder` is that of the README,
 *   from the root
 * @returns {{ text: string, faults: string[] }} the faults are links that lead to no file of the repository
 */
export function withAbsoluteLinks(text, { root, folder, addresses }) {
  /** @type {string[]} */
  const faults = [];
  const changed = mapLinks(text, (target, isImage) => {
    if (!isRelative(target)) {
      return target;
    }
    const [file = '', anchor] = target.split('#');
    const path = posix.join(folder, file).replace(/\/$/, '');
    if (path.startsWith('..') || !existsSync(join(root, path))) {
      faults.push(`README.md: the link ${target} leads to no file of the repository`);
    }
    const address = isImage ? addresses.images : addresses.pages;
    return address.replace('{path}', path) + (anchor === undefined ? '' : `#${anchor}`);
  });
  return { text: changed, faults };
}

/**
 * The relative links of a README.
 * @param {string} text
 */
export function relativeLinks(text) {
  /** @type {string[]} */
  const found = [];
  mapLinks(text, (target) => {
    if (isRelative(target)) {
      found.push(target);
    }
    return target;
  });
  return found;
}
