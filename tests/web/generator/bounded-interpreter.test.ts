// Within its budget the interpreter gives what the library gives, byte for byte.
import { Template } from '@huggingface/jinja';
import { describe, expect, test } from 'vitest';
import { chatTemplateHandlers } from '../../../web/src/generator/templates/worker-chat-template.ts';
import type { CallContext } from '../../../web/src/rpc/serve.ts';

const context: CallContext = {
  signal: new AbortController().signal,
  report: () => {},
  transfer: [],
};
const { renderTemplate } = chatTemplateHandlers();

const messages = [
  { role: 'system', content: 'Be brief.\nBe kind.' },
  { role: 'user', content: '  What is 2 + 2? “é”\t' },
  {
    role: 'assistant',
    content: '<think>Two and two.\n\nFour.</think>4',
    tool_calls: [{ function: { name: 'add', arguments: { a: 2, b: [1.5, -0, null, true] } } }],
  },
  { role: 'tool', content: '4' },
  { role: 'user', content: [{ type: 'text', text: 'Thanks' }, { type: 'image' }] },
];
const tools = [
  {
    type: 'function',
    function: {
      name: 'add',
      description: 'Adds\ntwo "numbers"',
      parameters: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: ['array', 'null'], items: {} } },
        required: ['a'],
      },
    },
  },
];
const names = {
  messages,
  tools,
  bos_token: '<s>',
  eos_token: '</s>',
  add_generation_prompt: true,
  nothing: null,
  absent: undefined,
};

const conversations: Readonly<Record<string, string>> = {
  chatml:
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] | string + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
  'with a system message':
    "{{- bos_token }}\n{%- if messages[0]['role'] == 'system' -%}\n    {%- set system_message = messages[0]['content'] | trim -%}\n    {%- set messages = messages[1:] -%}\n{%- else -%}\n    {%- set system_message = '' -%}\n{%- endif -%}\n{%- for message in messages %}\n    {%- if loop.first and system_message %}<<SYS>>{{ system_message }}<</SYS>>{% endif %}\n    {%- if message.role not in ['user', 'tool'] %}{{ message.content }}{{ eos_token }}\n    {%- else %}[INST] {{ message.content }} [/INST]{% endif %}\n{%- endfor %}",
  'with thoughts and tools':
    "{%- set ns = namespace(multi_step=true, last=messages|length - 1) %}\n{%- for message in messages[::-1] %}\n    {%- set index = (messages|length - 1) - loop.index0 %}\n    {%- if ns.multi_step and message.role == 'user' and message.content is string and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}\n        {%- set ns.multi_step = false %}\n        {%- set ns.last = index %}\n    {%- endif %}\n{%- endfor %}\n{{ ns.last }}{{ ns }}\n{%- for message in messages %}\n    {%- set content = message.content %}\n    {%- if '</think>' in content %}\n        {%- set reasoning = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}\n        {%- set content = content.split('</think>')[-1] %}\n        {{- reasoning.strip().split() | join('|') }}\n    {%- endif %}\n    {%- if message.tool_calls is defined and message.tool_calls %}\n        {%- for call in message.tool_calls %}{{ call.function.name ~ '(' ~ (call.function.arguments | tojson) ~ ')' }}{% endfor %}\n    {%- endif %}\n    {{- content if content is string else content | map(attribute='type') | join(', ') }}\n{%- endfor %}\n{{ tools | tojson(indent=4) }}",
  'with macros':
    "{%- macro type_of(spec, depth=0) -%}{%- if spec.type is string -%}{{ spec.type }}{%- elif spec.type is iterable -%}{{ spec.type | join(' or ') }}{%- endif -%}{%- if spec.properties -%}{ {%- for name, inner in spec.properties | items -%}{{ name }}: {{ type_of(inner, depth + 1) }}{{ ', ' if not loop.last }}{%- endfor -%} }{%- endif -%}{%- endmacro -%}\n{% for tool in tools %}{{ tool.function.name }}{{ type_of(tool.function.parameters) }}{{ tool.function.description | indent(6, first=true) | replace('\"', '`') }}{% endfor %}\n{% macro wrap(tag) %}<{{ tag }}>{{ caller('x') }}</{{ tag }}>{% endmacro %}{% call(y) wrap('b') %}{{ y }}{{ messages[1].content | trim | upper }}{% endcall %}{% filter upper %}a{{ 1 }}{% endfilter %}",
};

const expressions = [
  "messages | selectattr('role', 'equalto', 'user') | list | length",
  "messages | map(attribute='role') | join(', ')",
  "messages | rejectattr('tool_calls') | map(attribute='role') | unique | sort | list",
  "'a,b,,c'.split(',', 1)",
  "' a  b '.split()",
  "'a-b-c'.replace('-', '+', 1) ~ 'abc' | replace('', '.')",
  "'aaa' | replace('a', 'bb', count=2)",
  "'a\\n\\nb' | indent(width=2, blank=true)",
  "[1, 'x', [2.0, none], {'k': -0.0}] | string",
  '[1] + [2, 3] ~ (1, 2)',
  "[1] == '1'",
  "'1,2' == [1, 2]",
  '[1, 2] != [1, 2]',
  "'x' + [1, 2] | string",
  'range(5)[1::2] | list',
  'range(5, 0, -2) | join',
  'range(0, 1, 0.25) | list',
  "'héllo'[::-1] ~ 'abc'[-1] ~ 'abc'[1:]",
  "{'b': 1, 'a': [true]} | tojson(sort_keys=true, separators=(',', ':'), indent=2)",
  "{'b': 1, 'a': 2} | dictsort(reverse=true) | tojson",
  "'é' | tojson(ensure_ascii=true)",
  '[] | first | default(1)',
  "nothing is none and absent is not defined and 'x' or 'y'",
  'tools[0].function.parameters.properties.keys() | list',
  "strftime_now('%Y-%m-%d %%')",
  '7 // 2 ~ 7 / 2 ~ 7 % 4 ~ 2 ** 3 ~ 2 ** -1 ~ -7 // 2',
  "('5' | int) + (true | int) ~ ('1.5' | float)",
  "'Hello world' | title | length",
  'messages[99].content is defined',
  "none ~ 'x'",
  'raise_exception("Roles must alternate: " ~ messages[0].role)',
  'raise_exception([1, 2])',
  'nothing + 1',
  "'a' * 3",
  'messages[0].nope.nope',
  '[] | first',
  "'x' | nope",
  'range(1, 2, 0)',
  'nope()',
  "[{'a': 1}] | sort",
  'messages | tojson(indent=-1)',
];

/** The text, or the message of the error. */
const byLibrary = (template: string): string => {
  try {
    return new Template(template).render(names);
  } catch (error) {
    return `The template for conversations failed: ${(error as Error).message}`;
  }
};

const byUs = (template: string): Promise<string> =>
  renderTemplate({ template, names }, context).catch((error: Error) => error.message);

describe('the interpreter renders as the library does', () => {
  test.each(Object.entries(conversations))('conversations %s', async (_, template) => {
    const rendered = await byUs(template);
    expect(rendered).toBe(byLibrary(template));
    expect(rendered.length).toBeGreaterThan(80);
  });

  test.each(expressions)('%s', async (expression) => {
    const templates = [
      `{{ ${expression} }}`,
      `{% set x = ${expression} %}{{ x }}`,
      `{% if ${expression} %}a{% else %}b{% endif %}`,
      `{% for x in [${expression}] %}{{ loop.index }}{{ x }}{% endfor %}`,
    ];
    for (const template of templates) {
      expect(await byUs(template)).toBe(byLibrary(template));
    }
  });
});
