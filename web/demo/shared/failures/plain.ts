// What errors mean in plain words, and what the user can do. The package's messages are exact; the page shows them below, in
// the details.

/** One sentence, and what to do: sentences, or empty. */
export interface Plain {
  readonly sentence: string;
  readonly advice: string;
}

/** What is known of an error. */
interface Seen {
  /** The code of an AmbryError, or the name of another error. */
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly hasByte: boolean;
  readonly online: boolean;
}

interface Row {
  readonly codes?: readonly string[];
  readonly message?: RegExp;
  readonly path?: RegExp;
  readonly hasByte?: boolean;
  readonly online?: boolean;
  readonly plain: Plain | ((match: RegExpExecArray) => Plain);
}

const says = (sentence: string, advice: string): Plain => ({ sentence, advice });

/** "a gzip file: unpack it first" → "This is a gzip file, not a model." and "Unpack it first." */
function foreign([, what = '']: RegExpExecArray): Plain {
  const [name = '', ...rest] = what.replace(/\.$/, '').split(': ');
  const advice = rest.join(': ').replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return says(`This is ${name}, not a model.`, advice === '' ? '' : `${advice}.`);
}

const fromDisk = 'Download it in your browser, and open it from your machine.';
const closeTabs = 'Close other tabs or programs, or choose a smaller model.';

/** In order: the first row that fits decides. */
const rows: readonly Row[] = [
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
    message: /^No answer from/,
    plain: says(
      'No answer came from this address.',
      `Check the address. If it is right, its server may not let other sites read its files (CORS). ${fromDisk}`,
    ),
  },
  {
    codes: ['Http'],
    message: /broke off|stalled|announced \d+ bytes but sent/,
    plain: says('The download broke off.', 'Check the network, and try again.'),
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
];

/** The same, of files that were opened as models. */
const modelRows: readonly Row[] = [
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
      'The Check page lists what Ambry reads. A model of another kind must be converted first.',
    ),
  },
  // Damage.
  {
    codes: ['Truncated'],
    plain: says(
      'The file ends too early: a part of it is missing.',
      'Its download or copy was cut off, perhaps. Get it again.',
    ),
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

function seen(error: unknown, online: boolean): Seen {
  const { code, name, message, path, byteOffset } = Object(error) as Partial<
    Record<string, unknown>
  >;
  return {
    // A DOMException has a number as its code.
    code: typeof code === 'string' ? code : String(name ?? ''),
    message: String(message ?? error),
    path: String(path ?? ''),
    hasByte: byteOffset !== undefined,
    online,
  };
}

/** What the row says; null if it does not fit. */
function plainBy({ codes, message, path, hasByte, online, plain }: Row, it: Seen): Plain | null {
  const match = (message ?? /^/).exec(it.message);
  const fits =
    match !== null &&
    (path ?? /^/).test(it.path) &&
    (codes === undefined || codes.includes(it.code)) &&
    (hasByte === undefined || hasByte === it.hasByte) &&
    (online === undefined || online === it.online);
  if (!fits) {
    return null;
  }
  return typeof plain === 'function' ? plain(match) : plain;
}

function firstOf(all: readonly Row[], it: Seen): Plain | null {
  for (const row of all) {
    const plain = plainBy(row, it);
    if (plain !== null) {
      return plain;
    }
  }
  return null;
}

/** Null if the error's own message is plain enough. */
export const plainOf = (error: unknown, online = navigator.onLine): Plain | null =>
  firstOf(rows, seen(error, online));

/** The same for an error of opening a model. */
export const plainOfModel = (error: unknown, online = navigator.onLine): Plain | null =>
  firstOf([...rows, ...modelRows], seen(error, online));
