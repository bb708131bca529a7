// Conversations as programs give them to chat templates, with the names that transformers passes.

const call = (id: string, name: string, args: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const user = (content: unknown) => ({ role: 'user', content });
const answer = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });
const system = { role: 'system', content: 'Be brief.\n' };

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Gets the weather\nof a "place" <now> & later, as 東京.',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'A city', enum: ['Paris', 'Łódź'] },
          days: { type: ['integer', 'null'], default: 3, minimum: 0.5 },
          more: {
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'number' } } },
          },
          other: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['city'],
      },
      return: { type: 'object' },
    },
  },
  {
    type: 'function',
    function: {
      name: 'noop',
      description: 'Nothing.',
      parameters: { type: 'object', properties: {} },
    },
  },
];

const question = user('Weather in Paris?');
const result = (id: string, name: string, content: string) => ({
  role: 'tool',
  tool_call_id: id,
  name,
  content,
});

const given: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  simple: { messages: [user('Hi')] },
  'a system message': { messages: [system, user('  What is 2+2?  ')] },
  tools: { messages: [system, user('Weather?')], tools },
  calls: {
    messages: [
      question,
      answer('', {
        tool_calls: [
          call('abcdefghi', 'get_weather', { city: 'Paris', days: 2, more: [{ a: 1.5 }], x: null }),
        ],
      }),
    ],
    tools,
    add_generation_prompt: false,
  },
  'results of tools': {
    messages: [
      system,
      question,
      answer('Let me look.', {
        tool_calls: [
          call('abcdefghi', 'get_weather', { city: 'Paris' }),
          call('123456789', 'noop', {}),
        ],
        reasoning_content: 'Hm.',
      }),
      result('abcdefghi', 'get_weather', '{"t": 20}'),
      result('123456789', 'noop', 'ok'),
      answer('20 degrees.'),
      user('Thanks'),
    ],
    tools,
  },
  'calls as texts': {
    messages: [
      user('Q'),
      answer(null, { tool_calls: [call('abcdefghi', 'get_weather', '{"city": "Paris"}')] }),
      result('abcdefghi', 'get_weather', 'r'),
    ],
    tools,
  },
  'thinking on': {
    messages: [user('Q'), answer('<think>\nI think.\n</think>\n\nA'), user('R')],
    enable_thinking: true,
    thinking: true,
    reasoning_effort: 'high',
  },
  'thinking off': {
    messages: [user('Q'), answer('A', { reasoning_content: 'Because.' }), user('R')],
    enable_thinking: false,
    thinking: false,
  },
  'no messages': { messages: [] },
  'a continued answer': {
    messages: [user('Count'), answer('1, 2,')],
    add_generation_prompt: false,
    continue_final_message: true,
  },
  pictures: {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Look.' }] },
      user([
        { type: 'text', text: 'What is ' },
        { type: 'image' },
        { type: 'image_url', image_url: { url: 'x' } },
        { type: 'text', text: 'this?' },
      ]),
    ],
  },
  'several turns': {
    messages: [system, user('a'), answer('b'), user('c'), answer('d'), user('e')],
    documents: [{ title: 'T', text: 'D' }],
  },
  'characters of many kinds': {
    messages: [
      system,
      user('😀 Zoë\r\n\tİstanbul “x”  '),
      answer('\n\n  ответ \u00a0👩‍💻\n'),
      user('ok'),
      answer('  return x\n'),
    ],
    add_generation_prompt: false,
  },
};

const shared = {
  bos_token: '<s>',
  eos_token: '</s>',
  pad_token: '<pad>',
  unk_token: '<unk>',
  add_generation_prompt: true,
  tools: null,
  documents: null,
};

export const conversations: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
  Object.fromEntries(Object.entries(given).map(([name, names]) => [name, { ...shared, ...names }]));
