// Decisions beside a plain reference, which feeds the model one token after another and computes in doubles.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { Decision, Decisions, Questions } from '../../../web/src/entries/types.ts';
import type { Generator } from '../../../web/src/index.ts';
import { beginId, endId, languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';

const file = languageFile({ context: 512 });
const questions = {
  topic: { choices: ['new', 'new york', 'old', 'näïve 🙂'], description: 'What is it about?' },
  urgent: 'boolean',
  severity: { min: -1, max: 11 },
} as const satisfies Questions;
const text = 'Cats sleep a lot.';

const idsOf = (written: string) => [beginId, ...Buffer.from(written)];

/** The sum of the log probabilities of the answer's bytes and of the end. The model's tokens are bytes. */
async function referenceScore(
  model: Generator,
  prompt: readonly number[],
  answer: string,
): Promise<number> {
  const ids = [...prompt];
  let score = 0;
  for (const next of [...Buffer.from(answer), endId]) {
    const logits = await model.logits(ids);
    const all = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    score += (logits[next] as number) - all;
    ids.push(next);
  }
  return score;
}

const promptOf = (question: string, answers: string, about = text) =>
  `user: Text:\n${about}\n\nQuestion: ${question}\nAnswer with nothing but ${answers}\nassistant: `;

function expectDecision(
  { value, probability, probabilities }: Decision,
  scores: Map<unknown, number>,
) {
  const whole = [...scores.values()].reduce((sum, score) => sum + Math.exp(score), 0);
  expect(new Set(probabilities.map((each) => each.value))).toEqual(new Set(scores.keys()));
  for (const each of probabilities) {
    const score = scores.get(each.value) as number;
    expect(each.score).toBeCloseTo(score, 4);
    expect(each.probability).toBeCloseTo(Math.exp(score) / whole, 4);
  }
  const falling = probabilities.map((each) => each.probability);
  expect(falling).toEqual(falling.toSorted((a, b) => b - a));
  expect({ value, probability }).toEqual({
    value: probabilities[0]?.value,
    probability: probabilities[0]?.probability,
  });
}

let model: Generator;
beforeAll(async () => {
  model = await openGenerator(file);
});
afterAll(() => model.dispose());

async function scoresOf(
  prompt: string,
  answers: readonly (readonly [unknown, string])[],
): Promise<Map<unknown, number>> {
  const scores = new Map<unknown, number>();
  for (const [value, answer] of answers) {
    scores.set(value, await referenceScore(model, idsOf(prompt), answer));
  }
  return scores;
}

const topicHint = `one of these:\n${questions.topic.choices.map((each) => `- ${each}`).join('\n')}`;

test('a decision has the scores of its answers, token by token', async () => {
  const decisions = await model.decide(text, questions);
  const same = questions.topic.choices.map((each) => [each, each] as const);
  expectDecision(decisions.topic, await scoresOf(promptOf('What is it about?', topicHint), same));
  const yesNo = [
    [true, 'yes'],
    [false, 'no'],
  ] as const;
  expectDecision(decisions.urgent, await scoresOf(promptOf('urgent', 'yes or no.'), yesNo));
  const range = Array.from({ length: 13 }, (_, i) => [i - 1, String(i - 1)] as const);
  const prompt = promptOf('severity', 'an integer from -1 to 11.');
  expectDecision(decisions.severity, await scoresOf(prompt, range));
});

test('a decision is typed by its question', async () => {
  const { topic, urgent, severity } = await model.decide(text, questions);
  expectTypeOf(topic.value).toEqualTypeOf<'new' | 'new york' | 'old' | 'näïve 🙂'>();
  expectTypeOf(urgent.value).toEqualTypeOf<boolean>();
  expectTypeOf(severity.probabilities[0]?.value).toEqualTypeOf<number | undefined>();
  const written = await model.decide([text], { odd: { type: 'boolean', description: 'Odd?' } });
  expectTypeOf(written[0]?.odd.value).toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Decisions<Questions>[string]['value']>().toEqualTypeOf<string | number | boolean>();
  expect(typeof written[0]?.odd.value).toBe('boolean');
});

test('answers that begin with each other share no probability', async () => {
  const choices = ['a', 'aa', 'aaa', 'b'];
  const { which } = await model.decide(text, { which: { choices } });
  const sum = which.probabilities.reduce((all, { score }) => all + Math.exp(score), 0);
  expect(sum).toBeLessThan(1);
});

describe('the scores are the same', () => {
  const texts = [text, 'Dogs bark at night, and so do foxes.', 'Cats sleep.'];

  test('for a text alone, in a list, and for a question alone', async () => {
    const all = await model.decide(texts, questions);
    expect(all).toHaveLength(3);
    for (const [i, each] of texts.entries()) {
      expect(await model.decide(each, questions)).toEqual(all[i]);
      const { urgent } = await model.decide(each, { urgent: 'boolean' });
      expect(urgent).toEqual(all[i]?.urgent);
    }
    expect(await model.decide([], questions)).toEqual([]);
  });

  test('with threads, and with weights that are read again', async () => {
    const wanted = await model.decide(texts, questions);
    const folder = await mkdtemp(join(tmpdir(), 'ambry-'));
    try {
      const path = join(folder, 'model.amb');
      await writeFile(path, file);
      const resident = Math.floor(file.length / 2);
      for (const options of [{ threads: 2 }, { resident }]) {
        const other = await openGenerator(path, options);
        expect(await other.decide(texts, questions)).toEqual(wanted);
        await other.dispose();
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('scores are normalized', () => {
  test('by their tokens and by those after an empty text', async () => {
    const choices = ['new', 'new york'];
    const asked = { topic: { choices } };
    const scores = (decisions: Decisions<typeof asked>) =>
      choices.map(
        (choice) => decisions.topic.probabilities.find(({ value }) => value === choice)?.score ?? 0,
      );
    const sums = scores(await model.decide(text, asked));
    const means = scores(await model.decide(text, asked, { normalize: 'tokens' }));
    expect(means).toEqual([(sums[0] as number) / 4, (sums[1] as number) / 9]);
    const apart = await model.decide([text, 'Dogs.'], asked, { normalize: 'prior' });
    const empty = promptOf('topic', 'one of these:\n- new\n- new york', '');
    for (const [i, choice] of choices.entries()) {
      const prior = await referenceScore(model, idsOf(empty), choice);
      expect(scores(apart[0] as Decisions<typeof asked>)[i]).toBeCloseTo(
        (sums[i] as number) - prior,
        4,
      );
    }
    expect(await model.decide(text, asked, { normalize: 'prior' })).toEqual(apart[0]);
  });
});

describe('the prompt', () => {
  test('is the one that the caller gives, in the caller’s template', async () => {
    const { topic } = await model.decide(
      'a {question} $& text',
      { topic: { choices: ['x', 'y'], description: '{text}?' } },
      {
        prompt: '{question} {answers} in {text}',
        system: 'Be brief.',
        template: '{{ mood }}{% for m in messages %}[{{ m.role }}] {{ m.content }};{% endfor %}',
        variables: { mood: 'calm' },
      },
    );
    const prompt =
      'calm[system] Be brief.;[user] {text}? one of these:\n- x\n- y in a {question} $& text;[assistant] ';
    // This template writes no token that begins a text.
    const scores = new Map<unknown, number>();
    for (const choice of ['x', 'y']) {
      scores.set(choice, await referenceScore(model, [...Buffer.from(prompt)], choice));
    }
    expectDecision(topic, scores);
  });

  test('has what the template writes before an answer', async () => {
    const template =
      "{% for m in messages %}{{ m.role }}: {{ '<think></think>' if m.role == 'assistant' and not think }}{{ m.content }}\n{% endfor %}";
    const plain = await model.decide(text, { urgent: 'boolean' }, { template });
    const thinking = await model.decide(
      text,
      { urgent: 'boolean' },
      { template, variables: { think: true } },
    );
    expect(plain).not.toEqual(thinking);
  });
});

describe('what cannot be decided is refused', () => {
  const refused = async (
    asked: unknown,
    error: object,
    options: object = {},
    about: string | string[] = text,
  ) => {
    const call = model.decide(about as string, asked as Questions, options);
    await expect(call).rejects.toMatchObject(error);
  };

  test('in questions', async () => {
    const badAt = (path: string) => ({ code: 'BadValue', path });
    await refused({}, badAt('questions'));
    await refused({ a: 'yes' }, badAt('questions.a'));
    await refused({ a: ['x'] }, badAt('questions.a'));
    await refused({ a: null }, badAt('questions.a'));
    await refused({ a: {} }, badAt('questions.a'));
    await refused({ a: { choices: ['x'], min: 1, max: 2 } }, badAt('questions.a'));
    await refused({ a: { choices: [] } }, badAt('questions.a.choices'));
    await refused({ a: { choices: ['x', 1] } }, badAt('questions.a.choices[1]'));
    await refused({ a: { choices: ['x', ' '] } }, badAt('questions.a.choices[1]'));
    await refused({ a: { choices: ['x', 'y', 'x'] } }, badAt('questions.a.choices[2]'));
    await refused(
      { a: { choice: ['x'] } },
      {
        ...badAt('questions.a.choice'),
        message: /choices/,
      },
    );
    await refused({ a: { type: 'bool' } }, badAt('questions.a.type'));
    await refused({ a: { min: 2, max: 1 } }, badAt('questions.a'));
    await refused({ a: { min: 1 } }, badAt('questions.a'));
    await refused({ a: { min: 1, max: 2.5 } }, badAt('questions.a.max'));
    await refused({ ' ': 'boolean' }, badAt('questions. '));
    // Halves of characters become the same text.
    await refused({ a: { choices: ['\ud800', '\udc00'] } }, badAt('questions.a.choices[1]'));
    const tooMany = (path: string) => ({ code: 'LimitExceeded', path });
    await refused({ a: { min: 0, max: 1000 } }, tooMany('questions.a'));
    await refused(
      { a: { choices: Array.from({ length: 1001 }, String) } },
      tooMany('questions.a.choices'),
    );
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`q${i}`, 'boolean']));
    await refused(many, tooMany('questions'));
  });

  test('in texts and options', async () => {
    const asked = { urgent: 'boolean' };
    await refused(asked, { code: 'BadValue', path: 'texts[0]' }, {}, ' \n');
    await refused(asked, { code: 'BadValue', path: 'texts[1]' }, {}, ['a', '']);
    await refused(asked, { code: 'LimitExceeded', path: 'texts[1]' }, {}, ['a', 'b'.repeat(600)]);
    const prior = { normalize: 'prior' };
    await refused(asked, { code: 'LimitExceeded', path: 'texts[0]' }, prior, 'b'.repeat(600));
    await refused(asked, { code: 'BadValue', path: 'options.normalize' }, { normalize: 'mean' });
    await refused(asked, { code: 'BadValue', path: 'options.prompt' }, { prompt: '{text}' });
    await refused(asked, { code: 'NotFound', path: 'chatTemplate' }, { template: 'none' });
    const silent = { template: '{{ messages[0].content }}' };
    await refused(asked, { code: 'Unsupported', path: 'chatTemplate' }, silent);
    const plain = await openGenerator(
      languageFile({ config: { tokenizer: { pretokenizer: 'gpt2' } } }),
    );
    await expect(plain.decide(text, { urgent: 'boolean' })).rejects.toMatchObject({
      code: 'NotFound',
      path: 'chatTemplate',
    });
    await plain.dispose();
  });

  test('and an abort ends it', async () => {
    const stop = new AbortController();
    const reports: number[] = [];
    const call = model.decide(
      Array.from({ length: 50 }, (_, i) => `Text ${i}`),
      questions,
      {
        signal: stop.signal,
        onProgress: ({ loaded }) => {
          reports.push(loaded);
          stop.abort();
        },
      },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(reports.length).toBeGreaterThan(0);
    expect((await model.decide(text, { urgent: 'boolean' })).urgent.probabilities).toHaveLength(2);
  });
});
