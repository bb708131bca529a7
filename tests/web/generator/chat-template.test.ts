// Chat templates run in a worker of their own. One that never ends is stopped, and the model stays.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../web/src/entries/types.ts';
import type { Generator } from '../../../web/src/generator/client.ts';
import { languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { type OwnWorkers, ownWorkers } from '../support/own-workers.ts';

const file = languageFile();
const messages: readonly ChatMessage[] = [{ role: 'user', content: 'Hi' }];
/** Looks through a text of a million letters again and again. */
const endless =
  "{% set t = namespace(x='a') %}{% for i in range(20) %}{% set t.x = t.x ~ t.x %}{% endfor %}{% for n in range(100000) %}{% if t.x is upper or t.x is lower %}{% endif %}{% endfor %}";
const plain = '{{ messages[0].content }}';
const tooLong = { code: 'LimitExceeded', path: 'chatTemplate', message: /2 seconds/ };

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: Error) => error.name,
  );

/** Lets the event loop go round once, with the timers that are due. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

describe('several templates', () => {
  const named = languageFile({
    config: {
      tokenizer: {
        pretokenizer: 'gpt2',
        add_bos: true,
        chat_template: 'plain',
        chat_templates: {
          tool_use: '<tool_call>{{ tools|length }}',
          rag: '{{ documents|length }}',
        },
      },
    },
  });
  let model: Generator;
  beforeAll(async () => {
    model = await openGenerator(named);
  });
  afterAll(() => model.dispose());

  test('are chosen by what the conversation has, or by name', async () => {
    expect(model.info.generator.chatTemplates).toEqual(['default', 'tool_use', 'rag']);
    expect(model.chatTemplate).toBe('plain');
    const apply = (options = {}) => model.applyChatTemplate(messages, options);
    expect(await apply()).toBe('plain');
    expect(await apply({ variables: { tools: [] } })).toBe('<tool_call>0');
    expect(await apply({ variables: { documents: ['a'] } })).toBe('1');
    expect(await apply({ variables: { tools: null, documents: undefined } })).toBe('plain');
    expect(await apply({ template: 'rag', variables: { documents: [] } })).toBe('0');
    expect(await apply({ template: 'default', variables: { tools: [] } })).toBe('plain');
    expect(await apply({ template: '{{ messages[0].role }}!' })).toBe('user!');
    await expect(apply({ template: 'tools' })).rejects.toMatchObject({
      code: 'NotFound',
      path: 'chatTemplate',
      message: /"tools".*default, tool_use, rag/,
    });
  });

  test('of tools say how the model calls them', async () => {
    const { calls } = await model.parseToolCalls(
      '<tool_call>{"name": "add", "arguments": {}}</tool_call>',
    );
    expect(calls).toEqual([{ name: 'add', arguments: {} }]);
    await expect(model.parseToolCalls('', 'default')).rejects.toMatchObject({
      code: 'Unsupported',
    });
  });

  test('without a default are asked for by name', async () => {
    const config = { tokenizer: { pretokenizer: 'gpt2', chat_templates: { rag: '1' } } };
    const other = await openGenerator(languageFile({ config }));
    expect(other.chatTemplate).toBeNull();
    await expect(other.applyChatTemplate(messages)).rejects.toMatchObject({
      code: 'NotFound',
      message: /has rag/,
    });
    expect(await other.applyChatTemplate(messages, { template: 'rag' })).toBe('1');
    await other.dispose();
  });
});

describe('a template', () => {
  let model: Generator;
  let workers: OwnWorkers;
  beforeAll(async () => {
    workers = ownWorkers();
    model = await openGenerator(file, { createWorker: workers.createWorker });
  });
  afterAll(() => model.dispose());

  const applied = (template: string, signal?: AbortSignal) =>
    model.applyChatTemplate(messages, { template, ...(signal && { signal }) });

  /** Settles when the latest template runs. Its worker has started before, so the template is sent at once. */
  const begun = async (template: string, signal?: AbortSignal) => {
    await applied(plain);
    const rendering = applied(template, signal);
    rendering.catch(() => {});
    for (let turn = 0; turn < 10; turn++) {
      await nextTurn();
    }
    return { rendering };
  };

  test('that never ends is stopped, and the caller and the model go on', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++);
    const { rendering } = await begun(endless);
    const { ids } = await model.generate('Hello', { maxTokens: 4 }).result;
    expect(ids).toHaveLength(4);
    await expect(rendering).rejects.toMatchObject(tooLong);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(10);
    expect(await applied(plain)).toBe('Hi');
  });

  test('ends with an abort at once', async () => {
    const controller = new AbortController();
    const { rendering } = await begun(endless, controller.signal);
    controller.abort();
    expect(await Promise.race([settled(rendering), nextTurn()])).toBe('AbortError');
    expect(await applied(plain)).toBe('Hi');
  });

  test('that waits for another one ends with an abort at once', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    await begun(endless, first.signal);
    const waiting = applied(plain, second.signal);
    second.abort();
    expect(await Promise.race([settled(waiting), nextTurn()])).toBe('AbortError');
    first.abort();
  });

  test('that was aborted before it ran does not run', async () => {
    await expect(applied(plain, AbortSignal.abort())).rejects.toThrow(/abort/);
  });

  test('ends with the answer that it is for', async () => {
    await applied(plain);
    const controller = new AbortController();
    const { signal } = controller;
    const { result } = model.generate({ messages, template: endless }, { signal });
    await nextTurn();
    controller.abort();
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
    expect((await model.generate('Hello', { maxTokens: 4 }).result).ids).toHaveLength(4);
  });

  test('runs in one worker again and again, until one is stopped', async () => {
    await applied(plain);
    const before = workers.started.length;
    await applied(plain);
    await expect(applied('{{ raise_exception("No.") }}')).rejects.toThrow(/No\./);
    await Promise.all([applied(plain), applied(plain)]);
    expect(workers.started).toHaveLength(before);
    const controller = new AbortController();
    await begun(endless, controller.signal);
    controller.abort();
    await applied(plain);
    expect(workers.started).toHaveLength(before + 1);
  });

  test('whose worker dies is reported, and the next one runs', async () => {
    const { rendering } = await begun(endless);
    await workers.started.at(-1)?.terminate();
    await expect(rendering).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'chatTemplate',
      message: /memory/,
    });
    expect(await applied(plain)).toBe('Hi');
  });
});

test('the worker of templates ends with the model', async () => {
  const { started, createWorker, ended } = ownWorkers();
  const model = await openGenerator(file, { createWorker });
  await model.applyChatTemplate(messages);
  const rendering = model.applyChatTemplate(messages, { template: endless });
  rendering.catch(() => {});
  await nextTurn();
  await model.dispose();
  await expect(rendering).rejects.toMatchObject({ code: 'Cancelled' });
  await expect(model.applyChatTemplate(messages)).rejects.toMatchObject({ code: 'Cancelled' });
  expect(started).toHaveLength(2);
  await expect.poll(ended).toBe(2);
});

describe('what a template is given', () => {
  let model: Generator;
  beforeAll(async () => {
    model = await openGenerator(file);
  });
  afterAll(() => model.dispose());

  test('may be objects that cannot be cloned, as those of frameworks', async () => {
    const content = new Proxy([{ type: 'text', text: 'Hi' }], {});
    const given = new Proxy([{ role: 'user', content }], {}) as never;
    const template = '{{ messages[0].content[0].text }}{{ n }}{{ none_given }}';
    const variables = new Proxy({ n: 1.5, none_given: undefined }, {});
    expect(await model.applyChatTemplate(given, { template, variables })).toBe('Hi1.5');
  });

  test('is what transformers gives', async () => {
    const template =
      '{{ tools }} {{ documents }} {{ add_generation_prompt }} {{ messages[0] }}{{ messages[0].x is defined }}';
    const given = [{ role: 'user', content: 'Hi', x: undefined }];
    const text = "{'role': 'user', 'content': 'Hi'}False";
    expect(await model.applyChatTemplate(given, { template })).toBe(`None None True ${text}`);
    const variables = { tools: [{ n: 1 }], documents: undefined };
    const options = { template, variables, addGenerationPrompt: false };
    expect(await model.applyChatTemplate(given, options)).toBe(`[{'n': 1}] None False ${text}`);
  });

  test('a fault names the line of the template', async () => {
    await expect(
      model.applyChatTemplate(messages, { template: 'a\n{{ messages | nope }}' }),
    ).rejects.toMatchObject({
      code: 'BadValue',
      path: 'chatTemplate',
      message: "The template for conversations failed in line 2: No filter named 'nope'.",
    });
  });

  const itself: Record<string, unknown> = { role: 'user', content: '' };
  itself['content'] = [itself];
  test.each([
    ['functions', { call: () => 1 }, 'variables.call'],
    ['big integers', { list: [1n] }, 'variables.list[0]'],
    ['what contains itself', { itself }, /^variables\.itself\.content\[0\]/],
  ])('cannot be %s', async (_, variables, path) => {
    await expect(
      model.applyChatTemplate(messages, { template: 'x', variables }),
    ).rejects.toMatchObject({ code: 'BadValue', path });
  });

  test('is a template that is a text', async () => {
    await expect(model.applyChatTemplate(messages, { template: 5 as never })).rejects.toMatchObject(
      { code: 'BadValue', path: 'options.template' },
    );
  });
});
