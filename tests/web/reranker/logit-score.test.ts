// Language models that rank with the module LogitScore of sentence-transformers.
import { describe, expect, test } from 'vitest';
import {
  idOf,
  languageModelDirectory,
  logitScoreFiles,
} from '../support/models/reranker-models.ts';
import { openReranker } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';
import { difference, documents, expectLogits, query, sigmoid } from './expect-logits.ts';

const { open } = ambry;

describe('LogitScore', () => {
  const rendered = (system: string) => (document: string) => [
    `${system && `<|im_start|>system\n${system}<|im_end|>\n`}<|im_start|>query\n${query}<|im_end|>\n<|im_start|>document\n${document}<|im_end|>\n<|im_start|>assistant\n`,
  ];
  const score = (config: object) => ({
    files: { ...logitScoreFiles, '1_LogitScore/config.json': config },
  });

  test('takes the prompt of the chat template, with the stated prompt as instruction', async () => {
    await expectLogits({ files: logitScoreFiles }, rendered('Find an answer.'), (row) =>
      difference(row, 'yes', 'no'),
    );
    await expectLogits(
      { files: logitScoreFiles },
      rendered('Be brief.'),
      (row) => difference(row, 'yes', 'no'),
      { instruction: 'Be brief.' },
    );
    await expectLogits(
      { files: logitScoreFiles },
      rendered(''),
      (row) => difference(row, 'yes', 'no'),
      { instruction: '' },
    );
  });

  test('gives the logit of one token where there is no other', async () => {
    const yes = idOf('Yes');
    for (const config of [{ true_token_id: yes, false_token_id: null }, { true_token_id: yes }]) {
      await expectLogits(score(config), rendered('Find an answer.'), (row) => row[yes] as number);
    }
  });

  test('takes the activation that a file states', async () => {
    const stated = 'config_sentence_transformers.json';
    const activated = (activation_fn: string | null) =>
      languageModelDirectory({ files: { ...logitScoreFiles, [stated]: { activation_fn } } });
    const pairs = documents.map((document) => [query, document] as const);
    await using raw = await openReranker(activated('torch.nn.modules.linear.Identity'));
    expect(await raw.score(pairs)).toEqual(await raw.logits(pairs));
    await using usual = await openReranker(activated(null));
    expect(await usual.logits(pairs)).toEqual(await raw.logits(pairs));
    const [first = 0] = await usual.score(pairs);
    expect(first).toBeCloseTo(sigmoid((await usual.logits(pairs))[0] as number), 6);
    await expect(open(activated('torch.nn.modules.activation.ReLU'))).rejects.toMatchObject({
      code: 'Unsupported',
      path: `${stated}.activation_fn`,
    });
  });

  test('gives the template messages with parts where a file says so', async () => {
    const structured = {
      ...logitScoreFiles,
      'chat_template.jinja':
        'Q {{ (messages | selectattr("role", "eq", "query") | first).content[0].text }} D {{ (messages | selectattr("role", "eq", "document") | first).content[0].text }} A',
      'sentence_bert_config.json': {
        modality_config: { message: { method: 'forward', format: 'structured' } },
      },
    };
    await expectLogits(
      { files: structured },
      (document) => [`Q ${query} D ${document} A`],
      (row) => difference(row, 'yes', 'no'),
    );
    await using model = await openReranker(languageModelDirectory({ files: structured }));
    await expect(model.rank(query, documents, { instruction: 'x' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.instruction',
    });
  });

  test('leaves an instruction that no file states to the template', async () => {
    const files = {
      ...logitScoreFiles,
      'config_sentence_transformers.json': { prompts: {}, default_prompt_name: null },
      'chat_template.jinja':
        'I {{ messages | selectattr("role", "eq", "system") | map(attribute="content") | first | default("usual") }} Q {{ messages | selectattr("role", "eq", "query") | map(attribute="content") | first }} D {{ messages | selectattr("role", "eq", "document") | map(attribute="content") | first }}',
    };
    for (const [instruction, said] of [
      [undefined, 'usual'],
      ['code', 'code'],
    ] as const) {
      await expectLogits(
        { files },
        (document) => [`I ${said} Q ${query} D ${document}`],
        (row) => difference(row, 'yes', 'no'),
        instruction === undefined ? {} : { instruction },
      );
    }
  });

  const at = '1_LogitScore/config.json';
  test.each([
    ['no token', {}, 'NotFound', `${at}.true_token_id`],
    ['an id outside', { true_token_id: 99_999 }, 'BadValue', `${at}.true_token_id`],
    ['a token by name', { true_token_id: 'yes' }, 'BadValue', `${at}.true_token_id`],
    ['a fraction', { true_token_id: 1, false_token_id: 0.5 }, 'BadValue', `${at}.false_token_id`],
    ['an unknown key', { true_token_id: 1, scale: 2 }, 'Unsupported', `${at}.scale`],
    ['a list', [1], 'BadValue', at],
  ])('is refused with %s', async (_, config, code, path) => {
    await expect(open(languageModelDirectory(score(config)))).rejects.toMatchObject({ code, path });
  });

  test.each([
    ['its file', { [at]: null }, 'NotFound', at],
    ['a template', { 'chat_template.jinja': null }, 'NotFound', 'config.tokenizer.chat_template'],
    [
      'a place for the document',
      { 'chat_template.jinja': '{{ messages[0].content }}' },
      'Unsupported',
      'chatTemplate',
    ],
    [
      'a place for the query',
      { 'chat_template.jinja': '{{ messages[2].content }}' },
      'Unsupported',
      'chatTemplate',
    ],
  ])('is refused without %s', async (_, changed, code, path) => {
    const files = { ...logitScoreFiles, ...changed };
    await expect(open(languageModelDirectory({ files }))).rejects.toMatchObject({ code, path });
  });
});
