// Every component of a tokenizer.json, with its options, for kinds of models: the built module says the same ids and
// texts as Hugging Face's library for generated strings, or refuses the file and names the component. What is
// read is exactly what core/formats/huggingface/README.md lists. The strings are the same in every run. Two files of
// tests call this, each for some kinds, so that two processors have work.

import { readFile } from 'node:fs/promises';
import tokenizers from 'tokenizers';
import { expect, test } from 'vitest';
import { unwrap } from '../../../../web/src/runtime/worker-heap.ts';
import type { TokenizerModel } from '../../../../web/src/wasm/types.mjs';
import { cases } from '../../../reference/tokenizers/tokenizer-json-cases.mjs';
import { loadTokenizerModule, openTokenizerIn } from '../../support/core-module.ts';
import { batch, generatedStrings, utf8 } from './generated-strings.ts';

interface Case {
  readonly kind: string;
  readonly slot: string;
  readonly name: string;
  readonly json: object;
}

const module = await loadTokenizerModule();

const spice = [
  ...["'s", "'LL", 'Ab', 'ABc', 'abC', '12345', '\n\n', '  ', ' \n', '/', '\u2581', '\t', '<s>'],
  ...['[CLS]', 'ａ！', '。', '가나', 'あア', 'ªA', '\u0301a', '#a', '!!\n', '<|endoftext|>', 'the'],
];
const { corpus, texts } = generatedStrings(77, 400, spice);

interface Refused {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** `refused` where the error names the component. */
function refusal({ code, path, message }: Refused): string {
  const named = /^tokenizer\.json\.(normalizer|pre_tokenizer|post_processor|decoder|model)/;
  const isTyped = ['Unsupported', 'BadValue', 'NotFound'].includes(code);
  return isTyped && named.test(path) ? 'refused' : `refused as ${code} ${path}: ${message}`;
}

/** Our tokenizer, or the error that says why not. */
function open(json: object) {
  try {
    return { tokenizer: openTokenizerIn(module, utf8.encode(JSON.stringify(json))) };
  } catch (error) {
    return { error: error as Refused };
  }
}

/** `same`, `refused`, or the first text for which we differ. */
async function outcome(one: Case): Promise<string> {
  const { tokenizer, error } = open(one.json);
  if (error) {
    return refusal(error);
  }
  const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(one.json));
  try {
    for (let begin = 0; begin < texts.length; begin += batch) {
      // What does not touch the decoder is compared with it on one batch only.
      const decodes = begin === 0 || one.slot === 'decoder';
      const difference = await compare(tokenizer, oracle, begin, decodes);
      if (difference) {
        return difference;
      }
    }
    return 'same';
  } catch (error) {
    // A tokenizer whose decoder is not known says so when it makes text.
    return refusal(error as Refused);
  } finally {
    module.release(tokenizer);
  }
}

async function compare(
  tokenizer: TokenizerModel,
  oracle: tokenizers.Tokenizer,
  begin: number,
  decodes: boolean,
): Promise<string | undefined> {
  const part = texts.slice(begin, begin + batch);
  const wanted = (await oracle.encodeBatch(part)).map((encoding) => encoding.getIds());
  for (const [i, text] of part.entries()) {
    const answer = module.tokenize(tokenizer, utf8.encode(text), true, false, utf8.encode(''));
    const { ids } = unwrap(answer) as { ids: number[] };
    if (`${ids}` !== `${wanted[i]}`) {
      return `${JSON.stringify(text)}\nwant ${wanted[i]}\ngot  ${ids}`;
    }
  }
  for (const skip of decodes ? [true, false] : []) {
    const decoded = await oracle.decodeBatch(wanted, skip);
    for (const [i, ids] of wanted.entries()) {
      const made = unwrap(module.detokenize(tokenizer, JSON.stringify(ids), skip));
      if (made !== decoded[i]) {
        return `${ids}\nwant ${JSON.stringify(decoded[i])}\ngot  ${JSON.stringify(made)}`;
      }
    }
  }
  return undefined;
}

const all = cases(corpus) as Case[];

/** The kinds of models that there are cases for. */
export const allKinds: readonly string[] = [...new Set(all.map(({ kind }) => kind))];

export function testKinds(kinds: readonly string[]): void {
  /** For each kind, the names in each slot. A second try begins anew. */
  const read = new Map<string, Map<string, string[]>>();

  test.each(
    kinds,
  )('every component of a tokenizer.json of %s is read as by Hugging Face, or refused by name', async (kind) => {
    const wrong: string[] = [];
    const names = new Map<string, string[]>();
    read.set(kind, names);
    for (const one of all.filter((each) => each.kind === kind)) {
      const found = await outcome(one);
      if (found === 'same') {
        names.set(one.slot, [...(names.get(one.slot) ?? []), `\`${one.name}\``]);
      } else if (found !== 'refused') {
        wrong.push(`${kind}, ${one.slot}: ${one.name}: ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 600_000);

  test(`the page lists what is read of ${kinds.join(', ')}`, async () => {
    const rows = [...read].flatMap(([kind, slots]) =>
      [...slots].map(([slot, names]) => `| ${slot} | ${kind} | ${names.join(', ')} |`),
    );
    const page = await readFile(
      new URL('../../../../core/formats/huggingface/README.md', import.meta.url),
      'utf8',
    );
    const isRow = (line: string) => kinds.some((kind) => line.includes(`| ${kind} |`));
    const listed = page.split('\n').filter(isRow);
    expect(listed.sort()).toEqual(rows.sort());
  });
}
