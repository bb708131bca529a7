// An answer on the page's side, with a worker that the test plays.
import { expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import { Answer } from '../../../web/src/generator/answer.ts';
import type { GeneratorCalls, WireGeneration } from '../../../web/src/generator/base/protocol.ts';
import type { Channel } from '../../../web/src/rpc/channel.ts';

type Next = GeneratorCalls['nextTokens']['out'];

const result = { text: 'abc', promptIds: [1], ids: [2, 3, 4] } as unknown as WireGeneration;
const tokens = (...texts: string[]): Next['tokens'] =>
  texts.map((text, id) => ({ id, text, logprob: 0 })) as unknown as Next['tokens'];

interface Asked {
  readonly answer: (next: Next) => void;
  readonly fail: (error: Error) => void;
}

/** Answers each call of `nextTokens` when the test says so. */
class PlayedWorker {
  readonly asked: Asked[] = [];

  call(name: keyof GeneratorCalls): Promise<unknown> {
    if (name !== 'nextTokens') {
      return Promise.resolve(null);
    }
    return new Promise((answer, fail) => this.asked.push({ answer, fail }));
  }
}

function begin() {
  const worker = new PlayedWorker();
  const channel = worker as unknown as Channel<GeneratorCalls>;
  const answer = new Answer(channel, {}, (given) => given);
  void answer.run(async () => ({ prompt: { text: '', special: true } }));
  return { worker, answer };
}

test('the worker always has one more call, so that it never waits for the page', async () => {
  const { worker, answer } = begin();
  await expect.poll(() => worker.asked.length).toBe(2);
  worker.asked[0]?.answer({ tokens: tokens('a'), results: null });
  await expect.poll(() => worker.asked.length).toBe(3);
  worker.asked[1]?.answer({ tokens: tokens('b'), results: null });
  await expect.poll(() => worker.asked.length).toBe(4);
  worker.asked[2]?.answer({ tokens: tokens('c'), results: [result] });
  const texts = [];
  for await (const { text } of answer) {
    texts.push(text);
  }
  expect(texts.join('')).toBe('abc');
  expect(await answer.result).toMatchObject({ text: 'abc', usage: { totalTokens: 4 } });
  expect(worker.asked).toHaveLength(4);
});

test('a failure is told once, whatever becomes of the call after it', async () => {
  const { worker, answer } = begin();
  await expect.poll(() => worker.asked.length).toBe(2);
  const [first, second] = worker.asked;
  first?.fail(new AmbryError('Truncated', 'The first.'));
  second?.fail(new AmbryError('Truncated', 'The second.'));
  await expect(answer.result).rejects.toThrow('The first.');
  expect(worker.asked).toHaveLength(2);
});
