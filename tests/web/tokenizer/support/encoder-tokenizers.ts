// The tokenizers of sentence encoders, in EMBD files that are made of directories, beside Hugging Face's library. The
// generated strings are the same in every run.

import { readFile } from 'node:fs/promises';
import tokenizers from 'tokenizers';
import { unwrap } from '../../../../web/src/runtime/worker-heap.ts';
import { dataPath, missingData } from '../../../data-folder.mjs';
import { encoderTokenizers } from '../../../reference/tokenizers/encoder-tokenizers.mjs';
import { readModel } from '../../../reference/tokenizers/sentencepiece-models.mjs';
import { loadModule, openTokenizerIn } from '../../support/core-module.ts';
import { encoderDirectory } from '../../support/directories/tokenizer-directories.ts';
import { ambry } from '../../support/package.ts';
import { batch, generatedStrings, utf8 } from './generated-strings.ts';

const module = await loadModule();

const spice = [
  ...["'s", "''", '``', 'Ab', '10,', '12,5', '-------', '\n\n', '  ', ' \n', '\u2581', '\t', '<s>'],
  ...['[CLS]', '[MASK]', '<mask>', ' <mask> ', '<pad>', '</s>', '<extra_id_3>', '[UNK]', 'ａ！'],
  ...['é', 'e\u0301', 'Å', 'ﬁ', '½', '①', '가나', 'ΑΣ', '\u0301a', 'the', '|||EMAIL|||', '   '],
];
const generated = generatedStrings(91, 500, spice);
export const texts: readonly string[] = generated.texts;

/** The map of characters of a real model, if there is one. */
async function realMap(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const name = 'tokenizers/sentencepiece/test_model.model';
  if (missingData(name) !== undefined) {
    return undefined;
  }
  const map = readModel(new Uint8Array(await readFile(dataPath(name)))).charsmap;
  return map?.length ? new Uint8Array(map) : undefined;
}

interface Encoded {
  readonly ids: readonly number[];
  readonly typeIds: readonly number[];
}

/** Our tokenizer of an EMBD file. */
function opened(file: Uint8Array) {
  const tokenizer = openTokenizerIn(module, file);
  return {
    encode: (text: string, pair?: string) => {
      const second = utf8.encode(pair ?? '');
      const answer = module.tokenize(
        tokenizer,
        utf8.encode(text),
        true,
        pair !== undefined,
        second,
      );
      return unwrap(answer) as Encoded;
    },
    release: () => module.release(tokenizer),
  };
}

const line = ({ ids, typeIds }: Encoded) => `${ids} / ${typeIds}`;

/** The first text, or pair among the first two fifths of them, for which we differ. */
export async function difference(
  file: Uint8Array,
  json: object,
  strings: readonly string[],
): Promise<string | undefined> {
  const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  const ours = opened(file);
  const compare = (want: tokenizers.Encoding, text: string, pair?: string) => {
    const wanted = line({ ids: want.getIds(), typeIds: want.getTypeIds() });
    const got = line(ours.encode(text, pair));
    return got === wanted
      ? undefined
      : `${JSON.stringify([text, pair])}\nwant ${wanted}\ngot  ${got}`;
  };
  try {
    for (let begin = 0; begin < strings.length; begin += batch) {
      const part = strings.slice(begin, begin + batch);
      for (const [i, want] of (await oracle.encodeBatch(part)).entries()) {
        const found = compare(want, part[i] ?? '');
        if (found) {
          return found;
        }
      }
    }
    for (let i = 0; i < (2 * strings.length) / 5; i += 2) {
      const [text = '', pair = ''] = strings.slice(i, i + 2);
      const found = compare(await oracle.encode(text, pair), text, pair);
      if (found) {
        return found;
      }
    }
    return undefined;
  } finally {
    ours.release();
  }
}

type Bytes = Uint8Array<ArrayBuffer>;
const known = new WeakMap<object, Promise<Bytes>>();

/** The EMBD file of a directory with this tokenizer, made once. */
export function converted(
  json: object,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Bytes> {
  const made = known.get(json) ?? convert(json, files);
  known.set(json, made);
  return made;
}

async function convert(json: object, files: Readonly<Record<string, Uint8Array>>): Promise<Bytes> {
  const rows = tokenizers.Tokenizer.fromString(JSON.stringify(json)).getVocabSize(true);
  const blob = await ambry.convert(encoderDirectory(rows, files));
  return new Uint8Array(await blob.arrayBuffer());
}

/** Made-up vocabularies of all kinds. */
export const kinds = encoderTokenizers(generated.corpus, await realMap());
