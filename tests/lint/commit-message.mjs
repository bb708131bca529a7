// Checks the form of a commit's subject: `area: Imperative sentence`, as CONTRIBUTING.md describes it.
// Git's hook calls this with the file that holds the message.
//
//   node tests/lint/commit-message.mjs FILE
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const maxColumns = 72;

/** Git writes these by itself, or rewrites them later. */
const fromGit = /^(Merge |Revert "|fixup! |squash! |amend! )/;

/** One area or several: folders, features or files, in lower case. */
const form = /^[a-z0-9.][\w./-]*(?:, [a-z0-9.][\w./-]*)*: (?<sentence>.+)$/;

/** Words that subjects began with, and that are no verbs. */
const notVerbs = new Set(
  `A An The This That These Those It Its They We I You He She There Here What When Where Which Who
  Whose Why How If As At By For From In Into Of On Off Out Over To Under With Without After Before
  While Because Since Until And Or But Nor Not No None Now Then Also Only All Any Both Each Every
  Either Neither Some Several Many More Most Much Few Fewer Less One Two Three Four Five Six Seven
  Eight Nine Ten Our Your Their My His Her Is Are Was Were Am Been Has Had Can Could May Might Must
  Shall Should Will Would Does Did Another Other Such Same New Own Adaptive Attention Byte Cold
  Decoder Encoder Finite Hybrid Integer Language Max Memory Metadata Min Progress Tensor Tokenizer
  Twice Vector Word`.split(/\s+/),
);
/** A second word that makes the first one a subject: "Indexes are", "Search can". */
const finite =
  /^(is|are|was|were|has|have|had|can|cannot|could|may|might|must|shall|should|will|would|do|does|did)$/;

/** Endings that an imperative has only in these words. */
const endings = [
  { ending: /s$/, verbs: /(ss|^Alias|^Bias|^Focus)$/ },
  { ending: /ed$/, verbs: /(eed|[Ee]mbed|^Shed|^Shred)$/ },
  { ending: /ing$/, verbs: /^(Bring|Cling|Fling|Ping|Ring|Spring|String|Swing)$/ },
];

/**
 * What is wrong with a commit's subject; undefined when nothing is.
 * @param {string} subject
 * @returns {string | undefined}
 */
export function subjectFault(subject) {
  if (fromGit.test(subject)) {
    return undefined;
  }
  const sentence = form.exec(subject)?.groups?.['sentence'];
  if (sentence === undefined) {
    return 'it has no area in lower case and no sentence after `: `';
  }
  const columns = [...subject].length;
  if (columns > maxColumns) {
    return `it has ${columns} columns; ${maxColumns} is the most`;
  }
  if (sentence.endsWith('.')) {
    return 'it ends with a period';
  }
  const [first = '', second = ''] = sentence.split(/\s+/);
  if (!/^[A-Z][a-z]*(-[a-z]+)?$/.test(first)) {
    return `"${first}" is no capitalised verb`;
  }
  const isOther = endings.some(({ ending, verbs }) => ending.test(first) && !verbs.test(first));
  return notVerbs.has(first) || isOther || finite.test(second)
    ? `"${first}" is no verb in the imperative, such as Add, Fix, Move or Rename`
    : undefined;
}

/**
 * The subject of a message as an editor left it, with Git's comments.
 * @param {string} message
 */
export function subjectOf(message) {
  return message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const subject = subjectOf(readFileSync(process.argv[2] ?? '', 'utf8'));
  const fault = subjectFault(subject);
  if (fault !== undefined) {
    console.error(`The commit's subject is not accepted: ${fault}.
  ${subject}
Write \`area: Imperative sentence\`, for example \`formats/alt: Refuse negative lengths\` (see CONTRIBUTING.md).`);
    process.exit(1);
  }
}
