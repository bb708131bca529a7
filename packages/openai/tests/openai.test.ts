// What a program meets beside the answers, which packages/serve/tests compares with those of the server.
import { AmbryError, type Generator } from 'ambry';
import { afterAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openEncoder, openLong } from '../../../tests/web/support/models/small-models.ts';
import { outcomeOf, wrongValues } from '../../../tests/web/support/wrong-values.ts';
import { OpenAIError, openai } from '../src/index.ts';

const chat: Generator = await forAllTests(openChat());
const minilm = await forAllTests(openEncoder());
const long = await openLong();
afterAll(() => long.dispose());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const client = openai({ chat, minilm });

test('one model alone answers to any name', async () => {
  const answer = await openai(chat).chat.completions.create({
    model: 'gpt',
    messages,
    max_completion_tokens: 2,
  });
  expect(answer).toMatchObject({ model: 'gpt', object: 'chat.completion' });
  expect(answer.usage?.completion_tokens).toBeLessThanOrEqual(2);
});

test('requests at a time have the answers that each has alone', async () => {
  const ask = (seed: number) =>
    client.chat.completions.create({ model: 'chat', messages, seed, max_tokens: 12 });
  const alone = [await ask(1), await ask(2)];
  const together = await Promise.all([
    ask(1),
    ask(2),
    client.embeddings.create({ model: 'minilm', input: 'a' }),
  ]);
  expect(together.slice(0, 2).map((each) => 'choices' in each && each.choices)).toEqual(
    alone.map(({ choices }) => choices),
  );
});

describe('an abort', () => {
  test('rejects a request as OpenAI\u2019s client does', async () => {
    const abort = new AbortController();
    const asked = openai(long).chat.completions.create(
      { model: 'long', messages, max_tokens: 100_000 },
      { signal: abort.signal },
    );
    abort.abort();
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'APIUserAbortError', status: undefined });
    expect((error as OpenAIError).cause).toMatchObject({ name: 'AbortError' });
    const again = await openai(long).chat.completions.create({
      model: 'long',
      messages,
      max_tokens: 1,
    });
    expect(again.usage?.completion_tokens).toBe(1);
  });

  test.each(['the signal', 'the controller', 'the loop'])('by %s ends a stream', async (by) => {
    const abort = new AbortController();
    const stream = await openai(long).chat.completions.create(
      { model: 'long', messages, max_tokens: 100_000, stream: true, logit_bias: {} },
      { signal: abort.signal },
    );
    let count = 0;
    for await (const _ of stream) {
      count++;
      if (count === 3 && by === 'the loop') {
        break;
      }
      if (count === 3) {
        (by === 'the signal' ? abort : stream.controller).abort();
      }
    }
    expect(count).toBeGreaterThanOrEqual(3);
    const again = await openai(long).chat.completions.create({
      model: 'long',
      messages,
      max_tokens: 1,
    });
    expect(again.usage?.completion_tokens).toBe(1);
  });

  test('of a request that has not begun rejects', async () => {
    const options = { signal: AbortSignal.abort() };
    const body = { model: 'chat', messages };
    for (const asked of [
      client.chat.completions.create(body, options),
      client.chat.completions.create({ ...body, stream: true }, options),
      client.embeddings.create({ model: 'minilm', input: 'a' }, options),
    ]) {
      await expect(asked).rejects.toMatchObject({ name: 'APIUserAbortError' });
    }
  });
});

describe('an error', () => {
  test('has the AmbryError as its cause', async () => {
    const asked = client.chat.completions.create({
      model: 'chat',
      messages: [{ role: 'user', content: 'a'.repeat(700) }],
    });
    const error = (await asked.catch((reason: unknown) => reason)) as OpenAIError;
    expect(error).toBeInstanceOf(OpenAIError);
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'prompt' });
    expect(error.cause).toBeInstanceOf(AmbryError);
    expect(error.cause).toMatchObject({ code: 'LimitExceeded', path: 'prompt' });
  });

  test.each([
    [{ maxTokens: 1 }, 'maxTokens', ' Did you mean "max_tokens"?'],
    [{ num_predict: 1 }, 'num_predict', ' Did you mean "max_tokens"?'],
    [{ device: 'gpu' }, 'device', ' Ambry computes on the processor.'],
    [{ stream_options: { include_usge: true } }, 'include_usge', ' Did you mean "include_usage"?'],
    [{ messages: [{ role: 'user', content: 'a', nme: 'b' }] }, 'nme', ' Did you mean "name"?'],
    [
      { response_format: { type: 'json_schema', json_schema: { schema: {}, strikt: true } } },
      'strikt',
      ' Did you mean "strict"?',
    ],
    [{ xyzzy: 1 }, 'xyzzy', ''],
  ])('at %j says what was meant', async (wrong, name, advice) => {
    const body = { model: 'chat', messages, ...wrong } as never;
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({
      cause: { message: `There is no field ${name} here.${advice}` },
    });
  });

  test('names a field or an option that there is not', async () => {
    const wrong = { model: 'chat', messages, temprature: 1 };
    await expect(client.chat.completions.create(wrong)).rejects.toMatchObject({
      param: 'temprature',
      cause: { code: 'BadValue', path: 'temprature' },
    });
    const option = { singal: undefined, signals: 1 };
    const asked = client.chat.completions.create({ model: 'chat', messages }, option as object);
    await expect(asked).rejects.toMatchObject({ cause: { path: 'options.signals' } });
  });

  test.each([
    ['models', (wrong: never) => openai(wrong)],
    ['body', (wrong: never) => client.chat.completions.create(wrong)],
    ['body of embeddings', (wrong: never) => client.embeddings.create(wrong)],
    ['body of responses', (wrong: never) => client.responses.create(wrong)],
    [
      'options',
      (wrong: never) =>
        client.chat.completions.create({ model: 'chat', messages, max_tokens: 1 }, wrong),
    ],
    [
      'signal',
      (signal: never) =>
        client.chat.completions.create({ model: 'chat', messages, max_tokens: 1 }, { signal }),
    ],
  ] as const)('for a wrong %s is never one of JavaScript', async (_, run) => {
    const raw: string[] = [];
    for (const [name, value] of Object.entries(wrongValues)) {
      // The errors of requests are OpenAI's, with that of Ambry as their cause.
      const called = async (given: never) => {
        try {
          await run(given);
        } catch (error) {
          throw error instanceof OpenAIError ? error.cause : error;
        }
      };
      const outcome = await outcomeOf(called, [value]);
      raw.push(...(outcome.startsWith('threw') ? [`${name} ${outcome}`] : []));
    }
    expect(raw).toEqual([]);
  });
});
