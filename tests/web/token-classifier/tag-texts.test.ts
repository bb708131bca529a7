// How texts go to the worker, and how its answers and errors come back. The worker is made up here.
import { describe, expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import type { Progress } from '../../../web/src/rpc/types.ts';
import { taggedTexts } from '../../../web/src/token-classifier/tag-texts.ts';
import type { TokenHeadInput, TokenRows } from '../../../web/src/token-head/protocol.ts';
import { rowsOf } from '../support/token-rows.ts';

const labels = ['O', 'B-PER'];

/** Each text is a token, and a text that begins with a capital is a person. */
const answerOf = ({ inputs }: TokenHeadInput): TokenRows =>
  rowsOf(
    (inputs as readonly string[]).map((text) => ({
      text,
      windows: [[[0, text.length, 0]]],
      logits: [[/^[A-Z]/.test(text) ? [0, 64] : [64, 0]]],
    })),
  );

interface Options {
  readonly onProgress?: (progress: Progress) => void;
}

function worker(answer: (input: TokenHeadInput, options: Options) => TokenRows = answerOf) {
  const calls: TokenHeadInput[] = [];
  const call = async (_: string, input: TokenHeadInput, options: Options) => {
    calls.push(input);
    return answer(input, options);
  };
  return { calls, connection: { channel: { call } } as never };
}

const many = Array.from({ length: 1200 }, (_, i) => (i % 3 === 0 ? `N${i}` : `n${i}`));

describe('texts', () => {
  test('go in parts, and all come back in their order', async () => {
    const { calls, connection } = worker();
    const spans = await taggedTexts(connection, many, labels, {});
    expect(spans.map(({ length }) => length)).toEqual(many.map((_, i) => (i % 3 === 0 ? 1 : 0)));
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.flatMap(({ inputs }) => inputs)).toEqual(many);
  });

  test('that are long go by themselves', async () => {
    const { calls, connection } = worker();
    const long = 'A'.repeat(200_000);
    await taggedTexts(connection, ['b', long, long, 'c'], labels, {});
    expect(calls.map(({ inputs }) => inputs.length)).toEqual([2, 2]);
    await taggedTexts(connection, [], labels, {});
    expect(calls).toHaveLength(2);
  });

  test('go with the stride that was given, and without one otherwise', async () => {
    const { calls, connection } = worker();
    await taggedTexts(connection, ['a'], labels, { stride: 7 });
    await taggedTexts(connection, ['a'], labels, {});
    const settings = { list: 'texts', rows: 'all' };
    expect(calls.map((call) => call.settings)).toEqual([{ ...settings, overlap: 7 }, settings]);
  });

  test('have one progress', async () => {
    const { connection } = worker((input, { onProgress }) => {
      // A worker may count windows.
      for (const loaded of [0, 700, 1400]) {
        onProgress?.({ phase: 'score', loaded, total: 1400, cached: false });
      }
      return answerOf(input);
    });
    const seen: Progress[] = [];
    await taggedTexts(connection, many, labels, { onProgress: (progress) => seen.push(progress) });
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(loaded.at(-1)).toBe(many.length);
    expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([many.length]));
  });
});

test('an error names the text among all, and the option', async () => {
  const failing = (path: string) =>
    worker((input) => {
      if (input.inputs.includes('n1000')) {
        throw new AmbryError('BadValue', 'It is wrong.', { path });
      }
      return answerOf(input);
    }).connection;
  const pathOf = (path: string) =>
    taggedTexts(failing(path), many, labels, {}).catch((error: AmbryError) => error.path);
  expect(await pathOf('texts[3]')).toBe('texts[515]');
  expect(await pathOf('options.overlap')).toBe('options.stride');
  expect(await pathOf('model')).toBe('model');
});
