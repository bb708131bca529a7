// Types of files that are often beside documents and are not read, with what can be done about them. A list of what was left out
// names them.
import { AmbryError } from '../../base/errors.ts';
import { typeOf } from './type-of.ts';

interface LeftOutKind {
  /** The kind, as a list names it: `2 pictures`. */
  readonly names: readonly [one: string, many: string];
  /** The file name extensions, without dots. */
  readonly types: string;
  /** Undefined where nothing is lost: such files have no text. */
  readonly advice?: string;
}

const saveAsDocx = 'Save it as .docx, .pdf or .txt.';
const unpack = 'Unpack it, and index the folder.';
const saveAsCsv = 'Save its sheets as .csv.';
const exportIt = 'Export it as .html, .md or .pdf.';

const kinds: readonly LeftOutKind[] = [
  { names: ['RTF document', 'RTF documents'], types: 'rtf', advice: saveAsDocx },
  {
    names: ['document of another word processor', 'documents of other word processors'],
    types: 'doc docm dot dotx odt ott pages wpd wps fodt',
    advice: saveAsDocx,
  },
  { names: ['spreadsheet', 'spreadsheets'], types: 'xlsx xls xlsm ods numbers', advice: saveAsCsv },
  {
    names: ['presentation', 'presentations'],
    types: 'pptx ppt odp key',
    advice: 'Save it as .pdf.',
  },
  {
    names: ['e-book', 'e-books'],
    types: 'epub mobi azw azw3 fb2 djvu',
    advice: 'Convert it to .html, .txt or .pdf.',
  },
  {
    names: ['e-mail', 'e-mails'],
    types: 'eml msg mbox',
    advice: 'Save it as .txt or .html.',
  },
  { names: ['TeX document', 'TeX documents'], types: 'tex ltx bib', advice: 'Make a .pdf of it.' },
  {
    names: ['text in another markup', 'texts in other markup'],
    types: 'org textile wiki mediawiki typ pod creole',
    advice: exportIt,
  },
  {
    names: ['XML document', 'XML documents'],
    types: 'xml xhtml rss atom opml docbook dita',
    advice: 'Save a copy of its text as .html or .txt.',
  },
  {
    names: ['archive', 'archives'],
    types: 'zip gz tgz tar bz2 xz zst 7z rar',
    advice: unpack,
  },
  {
    names: ['picture', 'pictures'],
    types: 'png jpg jpeg gif webp bmp tif tiff avif heic ico psd svg',
    advice: 'Write what it shows into a .txt or .md file.',
  },
  {
    names: ['sound or film', 'sounds or films'],
    types: 'mp3 wav ogg flac m4a mp4 mov mkv webm avi',
    advice: 'Write what is said into a .txt or .md file.',
  },
  { names: ['subtitle file', 'subtitle files'], types: 'srt vtt', advice: 'Save a copy as .txt.' },
  {
    names: ['file of code', 'files of code'],
    types:
      'c h cc cpp hpp cs css go java js jsx kt lua m mjs cjs mts cts php pl ps1 py r rb rs scala scss sh sql swift ts tsx vue svelte zig',
    advice: 'To index code, save a copy as .txt.',
  },
  {
    names: ['settings file', 'settings files'],
    types: 'toml ini cfg conf env properties lock',
    advice: 'To index it, save a copy as .txt.',
  },
  { names: ['font', 'fonts'], types: 'woff woff2 ttf otf' },
  { names: ['model', 'models'], types: 'weights gguf safetensors onnx amb alt bin pt' },
  { names: ['search index', 'search indexes'], types: 'ambryindex' },
];

const kindsByType: ReadonlyMap<string, LeftOutKind> = new Map(
  kinds.flatMap((kind) => kind.types.split(' ').map((type) => [`.${type}`, kind] as const)),
);

/** What can be done with a file of a type that is not read. Undefined if the type is not known. */
export function adviceFor(type: string): string | undefined {
  return kindsByType.get(type)?.advice;
}

/** Files of one kind that are not read. */
export interface LeftOut {
  readonly count: number;
  /** The kind: `pictures`, or `files of the type .abc`. */
  readonly name: string;
  /** The types that were found, such as `.png` and `.jpg`. */
  readonly types: readonly string[];
  /** What can be done. Undefined if nothing is known. */
  readonly advice?: string;
}

/**
 * Groups the paths of files that `readDocument` does not read by their kinds, for a note to the user. The largest group is first.
 *
 * @example
 * leftOutOf(['a.rtf', 'b.png', 'c.png']);
 * // [{count: 2, name: 'pictures', types: ['.png'], advice: …}, {count: 1, name: 'RTF document', …}]
 */
export function leftOutOf(paths: readonly string[]): LeftOut[] {
  const isList = Array.isArray(paths);
  const wrong = isList && Array.from(paths).findIndex((path) => typeof path !== 'string');
  if (wrong !== -1) {
    const path = isList ? `paths[${wrong}]` : 'paths';
    throw new AmbryError('BadValue', 'Must be a list of paths, such as ["a.rtf"].', { path });
  }
  const groups = new Map<LeftOutKind | string, { count: number; readonly types: Set<string> }>();
  for (const path of paths) {
    const type = typeOf(path);
    const key = kindsByType.get(type) ?? type;
    const group = groups.get(key) ?? { count: 0, types: new Set() };
    groups.set(key, group);
    group.count++;
    group.types.add(type);
  }
  return [...groups]
    .map(([key, { count, types }]) => leftOut(key, count, [...types].sort()))
    .sort((a, b) => b.count - a.count);
}

function leftOut(key: LeftOutKind | string, count: number, types: readonly string[]): LeftOut {
  if (typeof key === 'string') {
    const files = count === 1 ? 'file' : 'files';
    return key === ''
      ? {
          count,
          name: `${files} without a type`,
          types,
          advice: 'Give it a name that ends in .txt.',
        }
      : { count, name: `${files} of the type ${key}`, types };
  }
  const name = key.names[count === 1 ? 0 : 1];
  return { count, name, types, ...(key.advice !== undefined && { advice: key.advice }) };
}
