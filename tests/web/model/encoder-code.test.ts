// The first bytes of an EMBD file say which worker runs it.
import { expect, test } from 'vitest';
import { encoderWorker } from '../../../web/src/model/encoder-code.ts';
import { bertFamily } from '../../../web/src/wasm/tables.ts';

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

test("BERT's family with WordPiece runs in the smallest worker", () => {
  expect(encoderWorker(headOf({}))).toBeUndefined();
  expect(encoderWorker(headOf({ model_name: 'x', hidden_size: '8' }))).toBeUndefined();
  for (const architecture of bertFamily) {
    expect(encoderWorker(headOf({ architecture, tokenizer_kind: 'wordpiece' }))).toBeUndefined();
  }
});

test('another architecture or tokenizer needs the larger worker', () => {
  expect(encoderWorker(headOf({ architecture: 'mpnet' }))).toBe('encoder');
  expect(encoderWorker(headOf({ tokenizer_kind: 'unigram', model_name: 'x' }))).toBe('encoder');
  expect(encoderWorker(headOf({ architecture: 'roberta', tokenizer_kind: 'bpe' }))).toBe('encoder');
});

test('static encoders with WordPiece run in the smallest worker of theirs', () => {
  const architecture = 'static';
  expect(encoderWorker(headOf({ architecture }))).toBe('static-small');
  expect(encoderWorker(headOf({ architecture, tokenizer_kind: 'unigram' }))).toBe('static');
});

test('late interaction needs the larger worker', () => {
  expect(encoderWorker(headOf({ architecture: 'bert', late_interaction: '{}' }))).toBe('encoder');
});

test('a key that is only in part in the head counts as absent', () => {
  const head = headOf({ model_name: 'x', architecture: 'mpnet' });
  expect(encoderWorker(head)).toBe('encoder');
  expect(encoderWorker(head.subarray(0, head.length - 1))).toBeUndefined();
});

test('other and damaged files need no other worker', () => {
  for (const head of [new Uint8Array(), new Uint8Array(10), new TextEncoder().encode('GGUF')]) {
    expect(encoderWorker(head)).toBeUndefined();
  }
  const damaged = headOf({ architecture: 'mpnet' });
  damaged.fill(255, 12);
  expect(encoderWorker(damaged)).toBeUndefined();
});
