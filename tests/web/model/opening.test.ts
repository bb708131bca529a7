// The first bytes of a file say what it opens as, and which code runs an encoder.
import { expect, test } from 'vitest';
import { openingOf } from '../../../web/src/model/opening.ts';
import { architectureNames } from '../../../web/src/wasm/tables.ts';

/** The head of an EMBD file with this metadata. */
function headOf(facts: Readonly<Record<string, string>>, length = 1024): Uint8Array {
  const utf8 = new TextEncoder();
  const bytes: number[] = [];
  const number = (value: number, size: number) => {
    for (let i = 0; i < size; i++) {
      bytes.push((value >>> (8 * i)) & 255);
    }
  };
  const entries = Object.entries(facts).map(([key, value]) =>
    [key, value].map((x) => utf8.encode(x)),
  );
  const size = entries.flat().reduce((sum, part) => sum + part.length, 4 * entries.length);
  bytes.push(...utf8.encode('EMBD'));
  number(1, 4);
  number(7, 4);
  number(64, 4);
  number(size + 8, 4);
  number(0, 44);
  number(entries.length, 4);
  number(size, 4);
  for (const [key, value] of entries) {
    number(key?.length ?? 0, 2);
    number(value?.length ?? 0, 2);
    bytes.push(...(key ?? []), ...(value ?? []));
  }
  return Uint8Array.from(bytes).subarray(0, length);
}

const codeOf = (head: Uint8Array) => openingOf(head)?.code;

/** The architectures that BERT's forward pass runs. */
const bertFamily = ['bert', 'roberta', 'electra', 'distilbert', 'albert'];

test("BERT's family with WordPiece runs in the smallest worker, and others in the larger one", () => {
  expect(codeOf(headOf({}))).toBe('encoder-small');
  expect(codeOf(headOf({ model_name: 'x', hidden_size: '8' }))).toBe('encoder-small');
  for (const architecture of architectureNames.embd) {
    if (architecture === 'static') {
      continue;
    }
    const code = bertFamily.includes(architecture) ? 'encoder-small' : 'encoder';
    expect(codeOf(headOf({ architecture, tokenizer_kind: 'wordpiece' }))).toBe(code);
    expect(codeOf(headOf({ architecture }))).toBe(code);
  }
});

test('another tokenizer needs the larger worker', () => {
  expect(codeOf(headOf({ tokenizer_kind: 'unigram', model_name: 'x' }))).toBe('encoder');
  expect(codeOf(headOf({ architecture: 'roberta', tokenizer_kind: 'bpe' }))).toBe('encoder');
});

test('static encoders with WordPiece run in the smallest worker of theirs', () => {
  const architecture = 'static';
  expect(codeOf(headOf({ architecture }))).toBe('static-small');
  expect(codeOf(headOf({ architecture, tokenizer_kind: 'unigram' }))).toBe('static');
});

test('late interaction needs the larger worker', () => {
  expect(codeOf(headOf({ architecture: 'bert', late_interaction: '{}' }))).toBe('encoder');
});

test('other files need no code for encoders', () => {
  for (const head of [new Uint8Array(), new Uint8Array(10), new TextEncoder().encode('GGUF')]) {
    expect(codeOf(head)).toBeUndefined();
  }
});

test('a head that is cut anywhere opens as something, or as nothing', () => {
  const head = headOf({ model_name: 'x', architecture: 'mpnet' });
  for (let end = 0; end <= head.length; end++) {
    expect(openingOf(head.subarray(0, end))?.kind).toBe(end < 4 ? undefined : 'encoder');
  }
});
