// Files that are text: web pages, JSON of models, word vectors, questions.

import { known, type Recognized, unknownFile } from './kinds.ts';

const partOfModel =
  'It is a part of a model. Choose the whole folder, with the weights and the tokenizer.';

/** In order: the first key that is there decides. */
const jsonKeys: readonly (readonly [key: RegExp, name: string, advice: string])[] = [
  [/"weight_map"/, 'a list of the files of a model', partOfModel],
  [
    /"modelTopology"|"weightsManifest"/,
    'a TensorFlow.js model',
    'Ambry reads the same model from its model.safetensors, if it has one.',
  ],
  [/"added_tokens"|"tokenizer_class"/, 'a tokenizer without its model', partOfModel],
  [/"model_type"|"architectures"/, 'the description of a model (config.json)', partOfModel],
];

const wordVectors: Recognized = {
  ...known('model', 'a file of word vectors as text'),
  model: 'words',
};

/** Word2vec starts with two counts, and GloVe with a word and many decimal numbers. */
function isWordVectors(text: string): boolean {
  const [line = ''] = text.split('\n', 1);
  return (
    /^\d{1,10} \d{1,6} ?\r?$/.test(line) || /^\S+(?: [+-]?\d*\.\d+(?:e[+-]?\d+)?){4,}/i.test(line)
  );
}

/** Questions begin with a colon and the name of a section. In a GloVe file, the colon is a word, and a number follows it. */
const isQuestions = (text: string): boolean => /^\s*:\s*[^\s\d.-]/.test(text);

/** Where a model was expected, a web page is an error or a sign-in page, saved in the place of the file. */
function webPage(name: string): Recognized {
  return /\.html?$/i.test(name)
    ? known('document', 'a web page (HTML)')
    : known(
        'foreign',
        'a web page (HTML)',
        'It was saved in the place of the file: it may be an error or a sign-in page. Download the file again.',
      );
}

function ofText(text: string, name: string): Recognized {
  const start = text.trimStart();
  if (/^<(!doctype html|html|head|body)/i.test(start)) {
    return webPage(name);
  }
  if (/^<(\?xml|svg|!--)/.test(start)) {
    return known('foreign', start.includes('<svg') ? 'an SVG picture' : 'an XML file');
  }
  if (/^[[{]/.test(start) && !start.startsWith('[PAD]')) {
    const found = jsonKeys.find(([key]) => key.test(text));
    return found ? known('foreign', found[1], found[2]) : known('document', 'a JSON file');
  }
  if (start.startsWith('[PAD]') || start.startsWith('#version: ')) {
    return known('foreign', 'the words of a tokenizer', partOfModel);
  }
  if (isQuestions(start)) {
    return known('questions', 'a file of questions');
  }
  return isWordVectors(start) ? wordVectors : known('text', 'a text file');
}

/** Text in UTF-16 has a mark, or its Latin letters have zeros between them. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return true;
  }
  const start = bytes.subarray(0, 32);
  const zerosAt = (odd: number): boolean =>
    start.every((byte, at) => (byte === 0) === (at % 2 === odd));
  return start.length >= 16 && (zerosAt(0) || zerosAt(1));
}

/** The head may end inside a character. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

const hasControls = (text: string): boolean =>
  [...text].some((char) => char < ' ' && !'\t\n\r\f\x1b'.includes(char));

export function byText(bytes: Uint8Array, head: string, name: string): Recognized {
  if (isUtf16(bytes)) {
    return known('text', 'a text file');
  }
  const text = decoded(bytes);
  if (text !== null && !hasControls(text)) {
    return ofText(text, name);
  }
  // The binary format of word2vec starts with the same line as its text.
  const [line = ''] = head.split('\n', 1);
  return /^\d{1,10} \d{1,6} ?$/.test(line)
    ? { ...known('model', 'a file of word vectors'), model: 'words' }
    : unknownFile;
}
