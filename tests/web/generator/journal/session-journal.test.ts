// Sessions with a journal: what is interrupted at any place goes on with the same tokens.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  GeneratedToken,
  GenerationRun,
  Journal,
  Reply,
} from '../../../../web/src/entries/types.ts';
import { openJournal } from '../../../../web/src/node.ts';
import { languageFile } from '../../support/files/language-file.ts';
import { forAllTests } from '../../support/for-all-tests.ts';
import { openGenerator } from '../../support/open-kinds.ts';

const file = languageFile({ context: 512 });
const model = await forAllTests(openGenerator(file));

/** A journal in memory that stands still after some writes, as that of a killed page does. */
function memoryJournal(before = '', writes = Number.POSITIVE_INFINITY) {
  let text = before;
  let left = writes;
  const journal: Journal = {
    read: () => Promise.resolve(text),
    append: (added) => {
      text += left-- > 0 ? added : '';
      return Promise.resolve();
    },
  };
  return { journal, text: () => text };
}

async function answered(run: GenerationRun<Reply> | null) {
  const tokens: GeneratedToken[] = [];
  for await (const token of run ?? []) {
    tokens.push(token);
  }
  const {
    generated: _,
    prompt: __,
    tokensPerSecond: ___,
    usage,
    ...result
  } = await (run as GenerationRun<Reply>).result;
  return { tokens, result, completionTokens: usage.completionTokens };
}

const settings = {
  greedy: { temperature: 0, ignoreEos: true },
  drawn: { temperature: 0.9, ignoreEos: true, logprobs: 2 },
  penalized: { temperature: 0.7, repetitionPenalty: 1.3, xtcProbability: 0.5, ignoreEos: true },
  mirostat: { temperature: 0.8, mirostat: 2, ignoreEos: true },
  formed: { temperature: 0.8, format: { regex: '[a-c]{3,90}' } },
} as const;

describe('a journal', () => {
  test.for(Object.entries(settings))('goes on with the same tokens: %s', async ([, options]) => {
    const all = memoryJournal();
    await using chat = model.session({ journal: all.journal, system: 'Be brief.', maxTokens: 90 });
    await chat.send('First?', { temperature: 0, maxTokens: 5 }).result;
    const whole = await answered(chat.send('Second?', options));
    const lines = all.text().split('\n');
    const sent = lines.findLastIndex((line) => line.startsWith('{"send"'));
    const ids = whole.result.ids;
    expect(ids.length).toBeGreaterThan(2);
    for (const cut of [0, 1, Math.floor(ids.length / 2), ids.length]) {
      const interrupted = [
        ...lines.slice(0, sent + 1),
        ...(cut > 0 ? [JSON.stringify({ ids: ids.slice(0, cut) })] : []),
        '{"ids":[1,2', // the process ended in the middle of this line
      ].join('\n');
      const { journal, text } = memoryJournal(interrupted);
      await using again = await model.resumeSession(journal);
      expect(await answered(again.resume())).toEqual(whole);
      expect(again.messages).toEqual(chat.messages);
      expect(again.context).toEqual(chat.context);
      expect(again.resume()).toBeNull();
      const next = { temperature: 0, maxTokens: 5, seed: 1 };
      await using third = await model.resumeSession(memoryJournal(text()).journal);
      expect(third.resume()).toBeNull();
      const [a, b] = [await again.fork(), third];
      expect(await answered(a.send('Third?', next))).toEqual(
        await answered(b.send('Third?', next)),
      );
    }
  });

  test('goes on after it stood still at any write', async () => {
    const { journal, text } = memoryJournal();
    await using chat = model.session({ journal });
    const whole = await answered(chat.send('A?', { ...settings.drawn, maxTokens: 40, seed: 7 }));
    const writes = text().split('\n').length - 1;
    expect(writes).toBeGreaterThan(2);
    for (let kept = 1; kept < writes; kept++) {
      const begun = memoryJournal(`${text().split('\n').slice(0, kept).join('\n')}\n`);
      await using again = await model.resumeSession(begun.journal, { maxTokens: 40 });
      const resumed = again.resume();
      const tokens = resumed ? (await answered(resumed)).tokens : undefined;
      expect(tokens, `${kept} lines`).toEqual(kept === 1 ? undefined : whole.tokens);
    }
  });

  test('keeps messages, rewinds, dropped turns and settings', async () => {
    const { journal, text } = memoryJournal();
    const options = { trim: 'oldest', temperature: 0, maxTokens: 60 } as const;
    await using chat = model.session({ ...options, journal, system: 'Be brief.' });
    for (const message of ['a', 'b'.repeat(90), 'c'.repeat(90), 'd']) {
      await chat.send({ role: 'user', content: message, name: 'Ann' }).result;
    }
    await chat.rewind(2);
    await chat.send('e'.repeat(120)).result;
    expect(text()).toContain('"dropped":{"first":1,"count":');
    await using again = await model.resumeSession(journal);
    expect(again.messages).toEqual(chat.messages);
    expect(again.context).toEqual(chat.context);
    const [first, second] = [await again.send('f').result, await chat.send('f').result];
    expect(first.ids).toEqual(second.ids);
    expect(first.promptIds).toEqual(second.promptIds);
  });

  test('forgets an answer that failed or was stopped before its first token', async () => {
    const { journal } = memoryJournal();
    await using chat = model.session({ journal, maxTokens: 4, temperature: 0 });
    await chat.send('kept').result;
    await expect(chat.send('x'.repeat(600)).result).rejects.toMatchObject({
      code: 'LimitExceeded',
    });
    await using again = await model.resumeSession(journal);
    expect(again.resume()).toBeNull();
    expect(again.messages).toEqual(chat.messages);
  });

  test('begins where the first line was cut', async () => {
    for (const begun of ['{', '{"ambry":"journal","version":1,"settings":{']) {
      const { journal, text } = memoryJournal(begun);
      await using chat = await model.resumeSession(journal, { maxTokens: 3 });
      expect(chat.resume()).toBeNull();
      await chat.send('A?').result;
      await using again = await model.resumeSession(memoryJournal(`${text()}{"se`).journal);
      expect(again.messages).toEqual(chat.messages);
    }
  });

  test('keeps an answer that was left as far as it came', async () => {
    const { journal } = memoryJournal();
    await using chat = model.session({ journal, ...settings.drawn, maxTokens: 200 });
    const run = chat.send('Long?');
    for await (const { index } of run) {
      if (index === 5) {
        break;
      }
    }
    await run.result;
    await using again = await model.resumeSession(journal);
    expect(again.resume()).toBeNull();
    expect(again.messages).toEqual(chat.messages);
  });
});

describe('a journal is refused', () => {
  const begun = async () => {
    const { journal, text } = memoryJournal();
    await using chat = model.session({ journal });
    await chat.send('A?', { ...settings.greedy, maxTokens: 8 }).result;
    return text();
  };

  test('by another model, and stays as it is', async () => {
    const text = await begun();
    const cut = text.slice(0, text.lastIndexOf('{"end"'));
    const other = await openGenerator(
      languageFile({ context: 512 }, (_, numbers) => void numbers.reverse()),
    );
    const { journal, text: after } = memoryJournal(cut);
    const chat = await other.resumeSession(journal);
    const path = expect.stringMatching(/^options\.resumeIds\[\d+\]$/);
    await expect(chat.resume()?.result).rejects.toMatchObject({ code: 'Mismatch', path });
    expect(after()).toBe(cut);
    expect(chat.resume()).not.toBeNull();
    await other.dispose();
  });

  test('where it has a session already', async () => {
    const { journal } = memoryJournal(await begun());
    await using chat = model.session({ journal });
    const place = { code: 'BadValue', path: 'options.journal' };
    await expect(chat.send('A?').result).rejects.toMatchObject(place);
  });

  test.for([
    ['a note\n', 'BadMagic', 'journal'],
    ['a note', 'BadMagic', 'journal'],
    ['{"ambry":"journal","version":2}\n', 'UnsupportedVersion', 'journal'],
    ['{"ambry":"journal","version":1,"settings":{}}\n', 'BadValue', 'journal[0]'],
    [
      '{"ambry":"journal","version":1,"settings":{"wrong":1},"messages":[]}\n',
      'BadValue',
      'options.wrong',
    ],
    ['{"ambry":"journal","version":1,"settings":{},"messages":[{}]}\n', 'BadValue', 'messages[0]'],
  ] as const)('when it is %j', async ([text, code, path]) => {
    const refused = model.resumeSession(memoryJournal(text).journal);
    await expect(refused).rejects.toMatchObject({ code, path });
  });

  test.for([
    '{"ids":[3]}',
    '{"end":{"text":"a","tokens":3,"dropped":{"first":0,"count":0}}}',
    '{"rewind":1}',
    '{"rewind":-1}',
    '{"send":{"message":"a","options":{}}}',
    '{"send":{"message":{"role":"user","content":"a"},"options":{}}}\n{"ids":["x"]}',
    '{"send":{"message":{"role":"user","content":"a"},"options":{}}}\n{"end":{"text":"a","tokens":3,"dropped":{"first":0,"count":9}}}',
    'null',
    '{',
    '[]',
    '{"unknown":1}',
  ])('at the damaged line %j', async (line) => {
    const { journal } = memoryJournal(
      `{"ambry":"journal","version":1,"settings":{},"messages":[]}\n${line}\n`,
    );
    const path = expect.stringMatching(/^journal\[[12]\]$/);
    await expect(model.resumeSession(journal)).rejects.toMatchObject({ code: 'BadValue', path });
  });

  test('above 64 MiB', async () => {
    const { journal } = memoryJournal(' '.repeat(2 ** 26 + 1));
    await expect(model.resumeSession(journal)).rejects.toMatchObject({ code: 'LimitExceeded' });
  });

  test('when it cannot be written, and the answer says so', async () => {
    let appended = 0;
    const full: Journal = {
      read: () => Promise.resolve(''),
      append: () => (appended++ < 1 ? Promise.resolve() : Promise.reject(new Error('full'))),
    };
    await using chat = model.session({ journal: full, maxTokens: 3 });
    await expect(chat.send('A?').result).rejects.toThrow('full');
  });
});

describe('openJournal in Node', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ambry-journal-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('keeps a session in a file', async () => {
    const path = join(folder, 'chat');
    const journal = openJournal(path);
    await using chat = await model.resumeSession(journal, { system: 'Be brief.', maxTokens: 3 });
    expect(chat.resume()).toBeNull();
    await chat.send('A?').result;
    expect(await readFile(path, 'utf8')).toContain('{"ambry":"journal","version":1');
    await using again = await model.resumeSession(openJournal(path));
    expect(again.messages).toEqual(chat.messages);
    await journal.clear();
    expect(await journal.read()).toBe('');
  });

  test('says what is wrong with a file', async () => {
    await expect(openJournal(folder).read()).rejects.toMatchObject({
      code: 'Unsupported',
      path: folder,
    });
    const path = join(folder, 'missing', 'chat');
    await expect(openJournal(path).append('')).rejects.toMatchObject({ code: 'Unsupported', path });
    await writeFile(join(folder, 'damaged'), 'no journal\n');
    const damaged = model.resumeSession(openJournal(join(folder, 'damaged')));
    await expect(damaged).rejects.toMatchObject({ code: 'BadMagic' });
    expect(() => openJournal('')).toThrow('at least one character');
  });
});
