// What errors mean in plain words, and what the user can do. The messages of the package are exact; the page shows them in the
// details.

import { pageName, refusalOf } from '../recognize/file-pages.ts';
import { cutOffAdvice, cutOffSentence } from './cut-off.ts';

/** One sentence, and what to do: sentences, or empty. */
export interface Plain {
  readonly sentence: string;
  readonly advice: string;
}

/** What is known of an error. */
export interface Seen {
  /** The code of an AmbryError, or the name of another error. */
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly hasByte: boolean;
  readonly online: boolean;
  /** The size of the whole file, if the file is cut off and states it. */
  readonly wholeBytes: number | null;
  /** The size of the file that was opened, if it is known. */
  readonly bytes: number | undefined;
}

export interface Row {
  readonly codes?: readonly string[];
  readonly message?: RegExp;
  readonly path?: RegExp;
  readonly hasByte?: boolean;
  readonly online?: boolean;
  readonly plain: Plain | ((match: RegExpExecArray, it: Seen) => Plain);
}

const says = (sentence: string, advice: string): Plain => ({ sentence, advice });

/** "a gzip file: unpack it first" → "This is a gzip file, not a model." and "Unpack it first." */
function foreign([, what = '']: RegExpExecArray): Plain {
  const [name = '', ...rest] = what.replace(/\.$/, '').split(': ');
  const advice = rest.join(': ').replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return says(refusalOf({ kind: 'foreign', name }, 'check'), advice === '' ? '' : `${advice}.`);
}

/** What does not answer: the hub, which is there, or a server that the user has named. */
function unanswered([, url = '', host = '']: RegExpExecArray): Plain {
  return says(
    `${host} does not answer.`,
    /^huggingface\.co$/.test(host)
      ? `Are you offline, or does your network block it? The page asked for ${url}. ${fromDisk}`
      : `Check the address: the page asked for ${url}. ${otherSites}`,
  );
}

const fromDisk = 'Download it in your browser, and open it from your machine.';
const otherSites = `If it is right, its server may not let other sites read its files (CORS). ${fromDisk}`;
const closeTabs = 'Close other tabs or programs, or choose a smaller model.';

/** In order: the first row that fits decides. */
export const rows: readonly Row[] = [
  // Files of this machine.
  {
    codes: ['NotReadableError', 'NotFoundError'],
    plain: says(
      'The file can no longer be read: it was changed, moved or deleted.',
      'Choose it again.',
    ),
  },
  {
    codes: ['QuotaExceededError'],
    plain: says(
      'The browser has no space left for this page.',
      'Delete saved data of this page, or free space on the disk.',
    ),
  },
  // The page itself.
  {
    message:
      /dynamically imported module|Importing a module script failed|WebAssembly did not load/i,
    online: false,
    plain: says(
      'You are offline, and a part of this page is not on your machine yet.',
      'Connect to the network, and open this page once.',
    ),
  },
  {
    message: /dynamically imported module|Importing a module script failed/i,
    plain: says(
      'A part of this page could not be loaded.',
      'Check the network, and reload the page.',
    ),
  },
  {
    message: /WebAssembly did not load|^Not WebAssembly/,
    plain: says(
      'A part of this page could not be loaded.',
      'Check the network, and reload the page.',
    ),
  },
  {
    message: /no WebAssembly|WebAssembly cannot be used|WebAssembly is not defined/i,
    plain: says(
      'This browser cannot run the models: it has no WebAssembly, or it is turned off.',
      'Use a current version of Firefox, Chromium or Safari.',
    ),
  },
  // Memory.
  {
    message: /not enough memory|out of memory|allocation failed|could not allocate/i,
    plain: says('There is not enough memory for this.', closeTabs),
  },
  {
    codes: ['Crashed'],
    plain: says('The part of the page that runs the model stopped.', closeTabs),
  },
  // Addresses.
  {
    codes: ['Http', 'TypeError', 'NetworkError'],
    online: false,
    plain: says(
      'You are offline, so the address cannot be reached.',
      'Connect to the network and try again. Files of your machine open without it.',
    ),
  },
  {
    codes: ['Http'],
    path: /^hub\.token$/,
    plain: says(
      'The hub gives this model only to people who have signed in, or there is no such model.',
      `Check the name. If it is right, accept the model’s conditions at the hub. ${fromDisk}`,
    ),
  },
  {
    codes: ['Http'],
    message: /hub\.token/,
    plain: says(
      'The hub gives this model only to people who have signed in.',
      `Accept the model’s conditions at the hub. ${fromDisk}`,
    ),
  },
  {
    codes: ['Http'],
    message: /answered 40[13]\b/,
    plain: says('The server does not let this page have the file.', fromDisk),
  },
  {
    codes: ['Http'],
    message: /answered (404|410)\b/,
    plain: says('There is no file at this address.', 'Check the address for a typing mistake.'),
  },
  {
    codes: ['Http'],
    message: /answered 429\b/,
    plain: says('The server has had too many requests.', 'Wait a few minutes, and try again.'),
  },
  {
    codes: ['Http'],
    message: /answered 5\d\d\b/,
    plain: says('The server has a problem of its own.', 'Try again later.'),
  },
  {
    codes: ['Http'],
    message: /^A web page \(HTML\) came/,
    plain: says(
      'A web page came instead of the file.',
      'Check the address: it must be that of the file itself, not of a page about it.',
    ),
  },
  {
    codes: ['Http'],
    message: /^No answer from (https?:\/\/([^/\s]+)[^\s]*?)[:.]?(?:\s|$)/,
    plain: unanswered,
  },
  {
    codes: ['Http'],
    message: /^No answer from/,
    plain: says('No answer came from this address.', `Check the address. ${otherSites}`),
  },
  {
    codes: ['Http'],
    message: /broke off|stalled|announced \d+ bytes but sent/,
    plain: says('The download broke off.', 'Check the network, and try again.'),
  },
  {
    codes: ['Mismatch'],
    message: /does not say which version/,
    plain: says(
      'The server does not say which version of the file it sends, so parts of it cannot be trusted.',
      fromDisk,
    ),
  },
  {
    codes: ['NotFound'],
    message: /^There is no repository|has no revision/,
    plain: says(
      'The hub has no model of this name.',
      'Check the name: it is owner/name, as in the address of its page.',
    ),
  },
  {
    message: /(\S+) has no (?:other )?weights.*was made of (\S+),.* followBase/s,
    plain: ([, name = '', base = '']) =>
      says(
        `${name} has no weights that Ambry opens. It was made of ${base}, which has its own.`,
        'Open that one.',
      ),
  },
  {
    codes: ['Mismatch'],
    message: /changed at the server/,
    plain: says('The file at this address changed while it was read.', 'Open it again.'),
  },
  {
    path: /^options\.mode$/,
    message: /range/i,
    plain: says('This server gives only whole files, not parts of them.', fromDisk),
  },
  {
    codes: ['Http'],
    plain: says('The file could not be had from this address.', `Try again. ${fromDisk}`),
  },
];

/** The rows for files that were opened as models. */
export const modelRows: readonly Row[] = [
  // Files that are no models.
  { codes: ['BadMagic'], message: /; this is (.+)$/s, plain: foreign },
  {
    codes: ['Truncated'],
    message: /file is empty/,
    plain: says('The file is empty.', 'Its download failed, perhaps. Get it again.'),
  },
  {
    codes: ['BadMagic'],
    message: /^not a model file/i,
    plain: says(
      'This is not a model that Ambry knows.',
      `The ${pageName('check')} page lists what Ambry reads. A model of another kind must be converted first.`,
    ),
  },
  // Damage.
  {
    codes: ['Truncated'],
    plain: (_, { wholeBytes, bytes }) =>
      says(cutOffSentence({ whole: wholeBytes }, bytes), cutOffAdvice),
  },
  {
    codes: ['UnsupportedVersion'],
    plain: says(
      'The file has a version that Ambry does not know.',
      'It may be newer than this page, or damaged. Get it again, or convert the original model again.',
    ),
  },
  {
    codes: ['BadValue', 'Overflow', 'Mismatch', 'LimitExceeded'],
    hasByte: true,
    plain: says(
      'The file is damaged, or was written wrongly.',
      'Get it again. If that does not help, tell the people who made it.',
    ),
  },
];
