// Answers from the best passages of an index, with a reader that notes what it is asked.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  Answerer,
  AnswerOptions,
  Doc,
  ExtractedAnswer,
} from '../../../web/src/entries/types.ts';
import type { Encoder, SearchIndex } from '../../../web/src/index.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const docs = Array.from({ length: 12 }, (_, i) => ({
  id: `d${i}`,
  text: i === 3 ? ' ' : `the cat ${'abcdefghijkl'[i]} ${i % 3 ? 'sat' : 'ran'}`,
  source: `${i % 2}.md`,
}));
const question = 'the cat sat';

let model: Encoder;
let index: SearchIndex;
beforeAll(async () => {
  model = await openEncoder(await smallModel());
  index = await ambry.createIndex(model, docs);
});
afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

interface Asked extends AnswerOptions {
  readonly question: string;
  readonly contexts: readonly string[];
}

/** Answers with the words of a text, of which later letters of the alphabet are better. "no answer" is as likely as a "p". */
class ByLetter implements Answerer {
  readonly asked: Asked[] = [];
  async answer(question: string, contexts: readonly string[], options: AnswerOptions) {
    this.asked.push({ question, contexts, ...options });
    return contexts.map((context) => {
      const found: ExtractedAnswer[] = [...context.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
        text,
        start: index,
        end: index + text.length,
        score: (text.charCodeAt(0) - 96) / 27,
      }));
      const none = { text: '', start: 0, end: 0, score: 16 / 27 };
      return [...found, ...(options.noAnswer ? [none] : [])]
        .toSorted((a, b) => b.score - a.score)
        .slice(0, options.k);
    });
  }
}

describe('an index answers', () => {
  test('from its best passages, the best first', async () => {
    const reader = new ByLetter();
    const [best, ...others] = await index.answer(reader, question);
    expect(others).toEqual([]);
    const found = (await index.search(question, { k: 5 })).filter(({ text }) => text.trim());
    expect(reader.asked).toEqual([{ question, contexts: found.map(({ text }) => text), k: 1 }]);
    const hit = found.find(({ id }) => id === best?.id);
    expect(best).toEqual({
      text: 'the',
      start: 0,
      end: 3,
      score: 20 / 27,
      id: hit?.id,
      passage: hit?.text,
      retrievalScore: hit?.score,
      doc: hit?.doc,
    });
  });

  test('with as many passages and answers as asked', async () => {
    const reader = new ByLetter();
    const options = { k: 4, passages: 12, hybrid: true, maxAnswerTokens: 3, overlap: 5 } as const;
    const answers = await index.answer(reader, question, options);
    expect(answers).toHaveLength(4);
    const [asked] = reader.asked;
    expect(asked).toMatchObject({ k: 4, maxAnswerTokens: 3, overlap: 5 });
    expect(Object.keys(asked ?? {})).toEqual(
      expect.not.arrayContaining(['hybrid', 'passages']) as string[],
    );
    // One passage is white space.
    expect(asked?.contexts).toHaveLength(11);
    for (const { text, passage, start, end } of answers) {
      expect(passage.slice(start, end)).toBe(text);
    }
  });

  test('and searches as it is told', async () => {
    const filter = (doc: Doc) => doc['source'] === '1.md';
    const answers = await index.answer(new ByLetter(), question, { k: 99, passages: 12, filter });
    expect(new Set(answers.map(({ doc }) => doc['source']))).toEqual(new Set(['1.md']));
  });

  test('with noAnswer leaves out what is less likely than none', async () => {
    const options = { k: 99, passages: 12, noAnswer: true };
    const answers = await index.answer(new ByLetter(), question, options);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['the', 'sat', 'ran']));
    const never: Answerer = {
      answer: async (_, contexts) => contexts.map(() => [{ text: '', start: 0, end: 0, score: 1 }]),
    };
    expect(await index.answer(never, question, options)).toEqual([]);
  });

  test('nothing where it has no passages', async () => {
    await using empty = await ambry.createIndex(model, []);
    const reader = new ByLetter();
    expect(await empty.answer(reader, question)).toEqual([]);
    expect(reader.asked).toEqual([]);
  });
});

describe('an index refuses', () => {
  const reader = new ByLetter();

  test('a model of another kind', async () => {
    for (const other of [model, null, {}, 'model', index.search]) {
      await expect(index.answer(other as never, question)).rejects.toMatchObject({
        code: 'BadValue',
        path: 'model',
        message: expect.stringContaining('of the kind questionAnswering') as string,
      });
    }
  });

  test.each(['', ' \n'])('the question "%s"', async (empty) => {
    await expect(index.answer(reader, empty)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'question',
    });
  });

  test.each([
    [{ passages: 0 }, 'options.passages'],
    [{ k: 0 }, 'options.k'],
    [{ hybrid: 'yes' }, 'options.hybrid'],
    [{ maxAnswerTokens: 1.5 }, 'options.maxAnswerTokens'],
    [{ offsets: 'bytes' }, 'options.offsets'],
    [{ pasages: 3 }, 'options.pasages'],
  ])('%o', async (options, path) => {
    await expect(index.answer(reader, question, options as object)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });

  test('to go on after an abort', async () => {
    const signal = AbortSignal.abort();
    await expect(index.answer(reader, question, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
