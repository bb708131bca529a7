// A comment is readable alone: none starts with a word that only what stands before it explains, such as "Of", "The same" or "Its".
// Where code is moved or something is inserted, such a comment points at the wrong neighbour.
//
//   node tests/lint/comments.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {{ line: number, start: string }} Comment */
/** @typedef {{ path: string, line: number, message: string }} Fault */

/** Words that point back. A comment after code on its line may go on in lower case: `int size;  // of the block`. */
const midAir = /^(?:Of|The same|Same|Those|That of|Its?|Their|They|Them|Likewise)\b/;

/** Files by how they mark a comment. */
const slashes = /\.(h|cpp|[mc]?[jt]sx?|css|svelte)$/;
const hashes = /(\.(py|sh|ya?ml|cmake)|CMakeLists\.txt|Dockerfile)$/;

/**
 * The first line of each comment. Lines of `//` or `#` that follow each other are one comment.
 * @param {SourceFile} file
 * @returns {Comment[]}
 */
export function commentsOf({ path, text }) {
  const mark = hashes.test(path) ? '#' : '//';
  const whole = new RegExp(`^\\s*${mark}(?!!)(.*)$`);
  const after = new RegExp(`[\\w;:{},()\\]>'"\`]\\s+${mark}\\s(.*)$`);
  const block = mark === '#' ? /^\s*[rf]?"""\s*(.*)$/ : /\/\*\*?(?!\*)\s*(.*)$/;
  /** @type {Comment[]} */
  const comments = [];
  let continues = false;
  let opened = false;
  for (const [i, row] of text.split('\n').entries()) {
    const alone = whole.exec(row);
    const begun = opened
      ? /^\s*\*?\s*(.*)$/.exec(row)
      : (alone ?? block.exec(row) ?? after.exec(row));
    const start = begun?.[1]?.replace(/(\*\/|""")\s*$/, '').trim() ?? '';
    if (start !== '' && !(alone && continues)) {
      comments.push({ line: i + 1, start });
    }
    opened = begun !== null && begun !== undefined && start === '' && !alone;
    continues = alone !== null || after.test(row);
  }
  return comments;
}

/**
 * @param {SourceFile} file
 * @returns {Fault[]}
 */
export function checkComments(file) {
  return commentsOf(file)
    .filter(({ start }) => midAir.test(start))
    .map(({ line, start }) => {
      const message = `starts in mid-air ("${start.slice(0, 40)}"): say of what`;
      return { path: file.path, line, message };
    });
}

/** Text of others, and examples of such comments. */
const notOurs = /(^|\/)(fixtures|corpus)\/|^tests\/lint\/comments\./;

/**
 * Every fault in the files of the tree at `root`.
 * @param {string} root
 * @returns {Fault[]}
 */
export function checkTree(root) {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((path) => slashes.test(path) || hashes.test(path))
    .filter((path) => !notOurs.test(path) && existsSync(join(root, path)))
    .flatMap((path) => checkComments({ path, text: readFileSync(join(root, path), 'utf8') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkTree(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  for (const { path, line, message } of faults) {
    console.error(`${path}:${line}: ${message}`);
  }
  process.exit(faults.length > 0 ? 1 : 0);
}
