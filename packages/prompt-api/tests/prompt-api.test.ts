// The Prompt API over small models.
import { open } from 'ambry';
import { describe, expect, test } from 'vitest';
import { chainFile } from '../../../tests/web/support/files/chain-file.ts';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openEncoder, openLong } from '../../../tests/web/support/models/small-models.ts';
import { openThinker, thoughts } from '../../../tests/web/support/models/thinking-models.ts';
import { promptApi } from '../src/index.ts';

const chat = await forAllTests(openChat());
const long = await forAllTests(openLong());
const thinker = await forAllTests(openThinker());
const LanguageModel = promptApi(chat);
const settings = { temperature: 0 };
const choice = { responseConstraint: /[ab]{3}/ };

async function all(stream: ReadableStream<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += piece;
  }
  return text;
}

describe('a session', () => {
  test('answers as a session of Ambry does', async () => {
    const session = await LanguageModel.create(settings);
    const own = chat.session({ ...settings, maxTokens: chat.info.generator.context });
    const format = { regex: '[ab]{3}' };
    for (const question of ['Hi', 'And?']) {
      const { text } = await own.send(question, { format }).result;
      expect(await session.prompt(question, choice)).toBe(text);
      expect(session.contextUsage).toBe(own.context.used);
    }
    expect(session.contextWindow).toBe(chat.info.generator.context);
    expect([session.inputUsage, session.inputQuota]).toEqual([
      session.contextUsage,
      session.contextWindow,
    ]);
    session.destroy();
  });

  test('streams the same answer in pieces', async () => {
    const session = await LanguageModel.create(settings);
    const copy = await session.clone();
    expect(await all(session.promptStreaming('Hi', choice))).toBe(await copy.prompt('Hi', choice));
  });

  test('begins with its first messages', async () => {
    const initialPrompts = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', value: 'Hi' }] },
      { role: 'assistant', content: 'Yes.' },
    ] as const;
    const session = await LanguageModel.create({ ...settings, initialPrompts });
    expect(session.contextUsage).toBeGreaterThan(10);
    const own = chat.session({
      ...settings,
      messages: initialPrompts.map(({ role, content }) => ({
        role,
        content: typeof content === 'string' ? content : 'Hi',
      })),
    });
    const { text } = await own.send('And?', { format: { regex: '[ab]{3}' } }).result;
    expect(await session.prompt('And?', choice)).toBe(text);
  });

  test('takes messages without an answer, and says what a prompt takes', async () => {
    const session = await LanguageModel.create(settings);
    const needed = await session.measureContextUsage('Some words.');
    await session.append('Some words.');
    expect(session.contextUsage).toBe(needed);
    expect(await session.measureInputUsage('Some words.')).toBeGreaterThan(5);
    const before = session.contextUsage;
    await session.prompt('So?', choice);
    expect(session.contextUsage).toBeGreaterThan(before);
  });

  test('has copies that go their own way', async () => {
    const session = await LanguageModel.create(settings);
    await session.append('One.');
    const copy = await session.clone();
    await copy.prompt('Two?', choice);
    expect(copy.contextUsage).toBeGreaterThan(session.contextUsage);
  });

  test('keeps to a JSON Schema', async () => {
    const responseConstraint = {
      type: 'object',
      properties: { a: { enum: [1, 2] } },
      required: ['a'],
    };
    const session = await LanguageModel.create();
    expect([1, 2]).toContain(JSON.parse(await session.prompt('Hi', { responseConstraint })).a);
  });

  test('leaves the reasoning out', async () => {
    const { options } = thoughts[0];
    expect((await thinker.session(options).send('Hi').result).reasoning).not.toBe('');
    const model = await open(
      chainFile({ tokens: ['<think>', 'So.', '</think>', 'Yes'], answers: { ':': [0, 1, 2, 3] } }),
      { kind: 'generator' },
    );
    const session = await promptApi(model).create(settings);
    expect(await session.prompt('Hi')).toBe('Yes');
    await model.dispose();
  });
});

describe('an end', () => {
  const endless = promptApi(long);

  test('by a signal rejects with an AbortError, and the session goes on', async () => {
    const session = await endless.create(settings);
    const abort = new AbortController();
    const asked = session.prompt('Hi', { signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(await session.prompt('Hi', choice)).toMatch(/^[ab]{3}$/);
    session.destroy();
  });

  test('of the stream ends the answer', async () => {
    const session = await endless.create(settings);
    const reader = session.promptStreaming('Hi').getReader();
    await reader.read();
    await reader.cancel();
    expect(await session.prompt('Hi', choice)).toMatch(/^[ab]{3}$/);
    session.destroy();
  });

  test('of the session ends its answers, and refuses others', async () => {
    const session = await endless.create(settings);
    const asked = session.prompt('Hi');
    session.destroy();
    await expect(asked).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(session.prompt('Hi')).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(session.clone()).rejects.toMatchObject({ name: 'InvalidStateError' });
  });
});

describe('what the model cannot', () => {
  test.each([
    ['pictures', { expectedInputs: [{ type: 'image' }] }],
    ['sounds', { expectedInputs: [{ type: 'text' }, { type: 'audio' }] }],
    ['tools', { tools: [{ name: 'add' }] }],
  ])('is unavailable: %s', async (_, options) => {
    expect(await LanguageModel.availability(options)).toBe('unavailable');
    await expect(LanguageModel.create(options)).rejects.toMatchObject({
      name: 'NotSupportedError',
      cause: { code: 'Unsupported' },
    });
  });

  test('is refused in a prompt', async () => {
    const session = await LanguageModel.create();
    for (const type of ['image', 'audio']) {
      const input = [{ role: 'user', content: [{ type, value: new Uint8Array(1) }] }] as never;
      await expect(session.prompt(input)).rejects.toMatchObject({ name: 'NotSupportedError' });
    }
    const begun = [{ role: 'assistant', content: 'a', prefix: true }] as const;
    await expect(session.prompt(begun)).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  test('fits no longer', async () => {
    const session = await LanguageModel.create();
    await expect(session.prompt('a'.repeat(700))).rejects.toMatchObject({
      name: 'QuotaExceededError',
      quota: chat.info.generator.context,
    });
    expect(await session.prompt('Hi', choice)).toMatch(/^[ab]{3}$/);
  });

  test.each([
    ['options', () => LanguageModel.create({ temprature: 1 } as object)],
    ['options of a kind', () => LanguageModel.create(3 as never)],
    ['messages', () => LanguageModel.create({ initialPrompts: 'Hi' as never })],
    ['a signal', () => LanguageModel.create({ signal: 3 as never })],
    ['a prompt', async () => (await LanguageModel.create()).prompt(3 as never)],
    ['no prompt', async () => (await LanguageModel.create()).prompt([])],
    [
      'the system too late',
      async () => (await LanguageModel.create()).prompt([{ role: 'system', content: 'a' }]),
    ],
    [
      'a constraint',
      async () => (await LanguageModel.create()).prompt('a', { responseConstraint: 3 as never }),
    ],
  ])('is no value of %s', async (_, run) => {
    const error = await run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).cause).toMatchObject({ code: 'BadValue' });
  });

  test('is another model', async () => {
    const minilm = await openEncoder();
    expect(() => promptApi(minilm as never)).toThrow(/language model/);
    await minilm.dispose();
  });
});

test('the monitor is told once', async () => {
  const seen: number[] = [];
  const monitor = (target: EventTarget) =>
    target.addEventListener('downloadprogress', (event) =>
      seen.push((event as ProgressEvent).loaded),
    );
  await LanguageModel.create({ monitor });
  expect(await LanguageModel.availability()).toBe('available');
  expect(seen).toEqual([1]);
});
