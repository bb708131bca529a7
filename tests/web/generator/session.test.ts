// Conversations that keep their keys and values, beside answers to the same messages from the start.
import { describe, expect, test } from 'vitest';
import { keyValueTypes } from '../../../web/src/entries/tables.ts';
import type {
  ChatMessage,
  GeneratedToken,
  GenerationRun,
  Reply,
} from '../../../web/src/entries/types.ts';
import type { ChatSession, Generator } from '../../../web/src/index.ts';
import { languageFile } from '../support/files/language-file.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { longAnswer, longAnswerFile } from '../support/long-answers.ts';
import { openGenerator } from '../support/open-kinds.ts';

const context = 256;
const file = languageFile({ context });
const greedy = { temperature: 0, maxTokens: 6 } as const;

const model = await forAllTests(openGenerator(file));

async function tokensOf(run: GenerationRun): Promise<GeneratedToken[]> {
  const tokens = [];
  for await (const token of run) {
    tokens.push(token);
  }
  return tokens;
}

/** The answer of a session. It must be that of `generate` to the same messages, with the same probabilities. */
async function sent(chat: ChatSession, message: string, by: Generator = model): Promise<Reply> {
  const options = { ...greedy, logprobs: 2 };
  const run = chat.send(message, options);
  const tokens = await tokensOf(run);
  const reply = await run.result;
  const messages = chat.messages.slice(0, -1);
  const cold = by.generate({ messages }, options);
  expect(tokens).toEqual(await tokensOf(cold));
  const { promptIds, ids, text } = await cold.result;
  expect(reply).toMatchObject({ promptIds, ids, text });
  expect(chat.messages.at(-1)).toEqual({ role: 'assistant', content: text });
  return reply;
}

const state = (chat: ChatSession) => ({ messages: chat.messages, context: chat.context });

describe('a session', () => {
  test('computes only the new tokens of a turn', async () => {
    await using chat = model.session({ system: 'Be brief.' });
    const first = await sent(chat, 'One?');
    expect(first.usage.reusedTokens).toBe(0);
    expect(chat.context).toEqual({ used: first.promptIds.length + 6, total: context });
    const second = await sent(chat, 'Two?');
    // All of the first prompt, and those bytes of the answer that its text gives back.
    expect(second.usage.reusedTokens).toBeGreaterThanOrEqual(first.promptIds.length);
    expect(second.promptIds.slice(0, first.promptIds.length)).toEqual(first.promptIds);
    expect(chat.messages).toHaveLength(5);
    expect(chat.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  });

  test('computes a turn of 50 tokens after 1,000 tokens of history', async () => {
    const opened = await openGenerator(languageFile({ context: 2048 }));
    await using chat = opened.session();
    await sent(chat, 'x'.repeat(1000), opened);
    const { promptIds, usage } = await sent(chat, 'y'.repeat(50), opened);
    const { reusedTokens } = usage;
    expect(reusedTokens).toBeGreaterThan(1000);
    // The turn, the names around it, and the bytes of the answer before, which are no text.
    expect(promptIds.length - reusedTokens).toBeLessThan(50 + 50);
    await opened.dispose();
  });

  test('reports the progress of the new tokens', async () => {
    await using chat = model.session(greedy);
    await chat.send('A long first message.').result;
    const totals = new Set<number>();
    const { promptIds, usage } = await chat.send('b', {
      onProgress: ({ phase, total }) => void (phase === 'prompt' && totals.add(total)),
    }).result;
    expect([...totals]).toEqual([promptIds.length - usage.reusedTokens]);
  });

  test('goes on from messages, with a template, variables and defaults', async () => {
    const template = '{{ mark }}{% for m in messages %}{{ m.content }}/{% endfor %}';
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    await using chat = model.session({ messages, template, variables: { mark: '!' }, ...greedy });
    const { promptIds, ids } = await chat.send({ role: 'user', content: 'c' }).result;
    expect(promptIds).toEqual([...Buffer.from('!a/b/c/')]);
    expect(ids).toHaveLength(greedy.maxTokens);
    expect((await chat.send('d', { maxTokens: 2 }).result).ids).toHaveLength(2);
  });

  test('leaves plain generation as it is', async () => {
    await using chat = model.session(greedy);
    await sent(chat, 'One?');
    expect((await model.generate('Hi', greedy).result).usage.reusedTokens).toBe(0);
  });

  test('forks go their own ways', async () => {
    await using chat = model.session({ system: 'S' });
    await sent(chat, 'One?');
    await using other = await chat.fork();
    expect(state(other)).toEqual(state(chat));
    const [left, right] = await Promise.all([sent(chat, 'Left?'), sent(other, 'Right?')]);
    expect(left.usage.reusedTokens).toBeGreaterThan(20);
    expect(right.usage.reusedTokens).toBeGreaterThan(20);
    expect(chat.messages.slice(0, 3)).toEqual(other.messages.slice(0, 3));
    expect(chat.messages[3]).not.toEqual(other.messages[3]);
    await chat.dispose();
    await sent(other, 'Still there?');
  });

  test('a message is taken back and answered again', async () => {
    await using chat = model.session({ system: 'S' });
    await sent(chat, 'One?');
    const before = state(chat);
    const { promptIds, ids } = await sent(chat, 'Two?');
    const [question, answer] = await chat.rewind(2);
    expect(question).toEqual({ role: 'user', content: 'Two?' });
    expect(answer?.role).toBe('assistant');
    expect(state(chat)).toEqual(before);
    const again = await chat.send(question as ChatMessage, greedy).result;
    expect(again.ids).toEqual(ids);
    expect(again.usage.reusedTokens).toBe(promptIds.length - 1);
    await chat.rewind(5);
    expect(chat.context.used).toBe(0);
  });

  test('an answer that is left is part of the conversation', async () => {
    await using chat = model.session();
    const run = chat.send('One?', { temperature: 0, maxTokens: 100 });
    let seen = 0;
    for await (const _ of run) {
      if (++seen === 3) {
        break;
      }
    }
    const { text } = await run.result;
    expect(chat.messages).toEqual([
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: text },
    ]);
    await sent(chat, 'Two?');
  });

  test('so are the tokens before an abort', async () => {
    await using large = await openGenerator(longAnswerFile());
    await using chat = large.session();
    const controller = new AbortController();
    const { signal } = controller;
    const run = chat.send('One?', { ...longAnswer, signal });
    const texts: string[] = [];
    const loop = async () => {
      for await (const { text } of run) {
        texts.push(text);
        controller.abort();
      }
    };
    await expect(loop()).rejects.toMatchObject({ name: 'AbortError' });
    expect(chat.messages).toHaveLength(2);
    expect(String(chat.messages[1]?.content).startsWith(texts.join(''))).toBe(true);
    await sent(chat, 'Two?', large);
  });

  test('an abort before the first token changes nothing', async () => {
    await using chat = model.session();
    await sent(chat, 'One?');
    const before = state(chat);
    const run = chat.send('Two?', { signal: AbortSignal.abort() });
    await expect(run.result).rejects.toMatchObject({ name: 'AbortError' });
    expect(state(chat)).toEqual(before);
    expect((await sent(chat, 'Two?')).usage.reusedTokens).toBeGreaterThan(10);
  });

  test('its messages cannot be changed from outside', async () => {
    const messages = [{ role: 'user', content: 'a' }];
    await using chat = model.session({ messages });
    (messages[0] as { content: string }).content = 'b';
    (chat.messages as ChatMessage[]).pop();
    expect(chat.messages).toEqual([{ role: 'user', content: 'a' }]);
  });
});

describe('a saved session', () => {
  test('goes on where it was, with its options', async () => {
    await using chat = model.session({ system: 'S', trim: 'oldest', ...greedy });
    await sent(chat, 'One?');
    const bytes = await chat.save();
    const again = await openGenerator(file);
    try {
      await using restored = await again.restoreSession(bytes);
      expect(state(restored)).toEqual(state(chat));
      const { ids, usage } = await restored.send('Two?').result;
      expect(ids).toHaveLength(greedy.maxTokens);
      expect(usage.reusedTokens).toBeGreaterThan(20);
      expect((await chat.send('Two?').result).ids).toEqual(ids);
      await using changed = await again.restoreSession(bytes, { maxTokens: 2 });
      expect((await changed.send('Two?').result).ids).toEqual(ids.slice(0, 2));
    } finally {
      await again.dispose();
    }
  });

  test('may be new', async () => {
    const bytes = await model.session({ system: 'S' }).save();
    await using restored = await model.restoreSession(bytes);
    expect(restored.messages).toEqual([{ role: 'system', content: 'S' }]);
    await sent(restored, 'One?');
  });
});

describe('a session that outgrows the context', () => {
  const long = 'x'.repeat(40);

  test('drops its oldest turns and keeps the system message', async () => {
    await using chat = model.session({ system: 'Keep me.', trim: 'oldest' });
    const dropped: ChatMessage[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const { droppedMessages, promptIds } = await sent(chat, `${turn}${long}`);
      dropped.push(...droppedMessages);
      expect(promptIds.length + greedy.maxTokens).toBeLessThanOrEqual(context);
      if (droppedMessages.length === 0) {
        continue;
      }
      expect(droppedMessages.map(({ role }) => role).slice(0, 2)).toEqual(['user', 'assistant']);
      expect(promptIds.length + greedy.maxTokens).toBeLessThanOrEqual((context * 3) / 4);
    }
    expect(dropped.length).toBeGreaterThanOrEqual(4);
    expect(dropped[0]).toEqual({ role: 'user', content: `0${long}` });
    expect(chat.messages[0]).toEqual({ role: 'system', content: 'Keep me.' });
    expect(chat.messages.length + dropped.length).toBe(1 + 2 * 9);
    expect(chat.context.used).toBeLessThanOrEqual(context);
  });

  test('rejects without a policy, and lives on', async () => {
    await using chat = model.session();
    await sent(chat, long);
    const before = state(chat);
    const run = chat.send('x'.repeat(context));
    await expect(run.result).rejects.toMatchObject({ code: 'LimitExceeded', path: 'prompt' });
    expect(state(chat)).toEqual(before);
    expect((await sent(chat, 'Short?')).usage.reusedTokens).toBeGreaterThan(40);
  });

  test('rejects a message that does not fit alone, and drops nothing', async () => {
    await using chat = model.session({ trim: 'oldest' });
    await sent(chat, long);
    const before = state(chat);
    const run = chat.send('x'.repeat(context));
    await expect(run.result).rejects.toMatchObject({ code: 'LimitExceeded', path: 'prompt' });
    expect(state(chat)).toEqual(before);
  });
});

/** Random numbers, which a seed repeats. */
function dice(seed: number) {
  let now = seed + 1;
  return (below: number) => {
    now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
    return Math.floor((now / 2 ** 32) * below);
  };
}

describe.each(keyValueTypes)('random conversations with keys and values in %s', (kv) => {
  test('equal cold ones', async () => {
    const opened = await openGenerator(file, { kv });
    for (let seed = 0; seed < 5; seed++) {
      const throwDice = dice(seed);
      const chats = [opened.session({ system: 'Be brief.', trim: 'oldest' })];
      for (let turn = 0; turn < 6; turn++) {
        const at = throwDice(chats.length);
        let chat = chats[at] as ChatSession;
        const kind = throwDice(5);
        if (kind === 0) {
          chats.push(await chat.fork());
        }
        if (kind === 1) {
          await chat.rewind(Math.min(chat.messages.length - 1, 1 + throwDice(3)));
        }
        if (kind === 2) {
          chat = chats[at] = await opened.restoreSession(await chat.save());
        }
        await sent(chat, 'x?'.repeat(1 + throwDice(20)), opened);
      }
    }
    await opened.dispose();
  });
});

describe('bad input', () => {
  test('a template that raises: an error, and the session lives on', async () => {
    const template =
      "{% for m in messages %}{% if m.content == 'bad' %}{{ raise_exception('no such thing') }}{% endif %}{{ m.content }}{% endfor %}";
    await using chat = model.session({ template, ...greedy });
    await chat.send('good').result;
    const before = state(chat);
    await expect(chat.send('bad').result).rejects.toMatchObject({
      code: 'BadValue',
      path: 'chatTemplate',
      message: /no such thing/,
    });
    expect(state(chat)).toEqual(before);
    expect((await chat.send('well').result).usage.reusedTokens).toBeGreaterThan(4);
  });

  test('calls after dispose are Cancelled', async () => {
    const chat = model.session(greedy);
    await chat.send('One?').result;
    await chat.dispose();
    await chat.dispose();
    const gone = { code: 'Cancelled', path: 'session' };
    await expect(chat.fork()).rejects.toMatchObject(gone);
    await expect(chat.save()).rejects.toMatchObject(gone);
    await expect(chat.rewind(1)).rejects.toMatchObject(gone);
    await expect(chat.send('Two?').result).rejects.toMatchObject(gone);
  });

  test('dispose ends the answers of the session, and no others', async () => {
    await using large = await openGenerator(longAnswerFile());
    const chat = large.session();
    const running = chat.send('One?', longAnswer);
    const waiting = chat.send('Two?');
    const other = large.generate('Hi', greedy);
    await running[Symbol.asyncIterator]().next();
    await chat.dispose();
    expect((await running.result).stoppedBy).toBe('left');
    await expect(waiting.result).rejects.toMatchObject({ code: 'Cancelled' });
    expect((await other.result).ids).toHaveLength(greedy.maxTokens);
  });

  test('bytes of another model, another kv, or none at all', async () => {
    await using chat = model.session({ system: 'S' });
    await sent(chat, 'One?');
    const bytes = await chat.save();
    const changed = languageFile({ context }, (name, numbers) => {
      if (name === 'model.layers.1.mlp.up_proj.weight') {
        numbers[5] = 0.25;
      }
    });
    const cases = [
      [changed, {}, bytes, { code: 'Mismatch', path: 'saved.model' }],
      [file, { kv: 'int8' }, bytes, { code: 'Mismatch', path: 'saved.kv' }],
      [file, { weights: 'f32' }, bytes, { code: 'Mismatch', path: 'saved.weights' }],
      [file, { context: 20 }, bytes, { code: 'LimitExceeded', path: 'saved.context' }],
      [file, {}, bytes.slice(0, 100), { code: 'Truncated', path: 'saved.size' }],
      [file, {}, bytes.with(-1, 1 + (bytes.at(-1) ?? 0)), { path: 'saved.checksum' }],
      [file, {}, new Uint8Array(0), { code: 'Truncated', path: 'saved.magic' }],
      [file, {}, file, { code: 'BadMagic', path: 'saved.magic' }],
      [file, {}, 'bytes' as never, { code: 'BadValue', path: 'bytes' }],
    ] as const;
    for (const [source, options, given, problem] of cases) {
      const opened = await openGenerator(source, options);
      await expect(opened.restoreSession(given)).rejects.toMatchObject(problem);
      expect((await opened.generate([1], greedy).result).ids).not.toHaveLength(0);
      await opened.dispose();
    }
    await sent(chat, 'Still there?');
  });

  test.each([
    [{ trim: 'newest' }, 'options.trim'],
    [{ system: 7 }, 'options.system'],
    [{ template: 7 }, 'options.template'],
    [{ variables: 'x' }, 'options.variables'],
    [{ signal: AbortSignal.abort() }, 'options.signal'],
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: [{ content: 'Hi' }] }, 'messages[0]'],
  ])('options %j are reported', (options, path) => {
    expect(() => model.session(options as never)).toThrow(
      expect.objectContaining({ code: 'BadValue', path }),
    );
  });

  test('arguments are reported by their names', async () => {
    await using chat = model.session();
    const before = state(chat);
    await expect(chat.send({ content: 'Hi' } as never).result).rejects.toMatchObject({
      code: 'BadValue',
      path: 'message',
    });
    await expect(chat.send('Hi', { maxTokens: 0 }).result).rejects.toMatchObject({
      path: 'options.maxTokens',
    });
    await expect(chat.rewind(1)).rejects.toMatchObject({ code: 'BadValue', path: 'count' });
    expect(state(chat)).toEqual(before);
  });
});
