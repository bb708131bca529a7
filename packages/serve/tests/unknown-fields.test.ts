// Fields that the server does not know.
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat } from '../../../tests/web/support/models/small-models.ts';
import { post, testServer } from './support/test-server.ts';

const chat = await forAllTests(openChat());
const server = await forAllTests(testServer({ chat }));
const messages = [{ role: 'user', content: 'Hello' }];

describe('a field that is unknown', () => {
  const body = {
    model: 'chat',
    messages: [{ role: 'user', content: 'Hello', cache_control: {} }],
    stream_options: { usage: true },
    '__proto__ ': 1,
    größe: 1,
    max_token: 3,
  };
  const names = [
    'messages[0].cache_control',
    'stream_options.usage',
    '__proto__%20',
    'gr%C3%B6%C3%9Fe',
    'max_token',
  ];

  test('is named in a header, and once in the log', async () => {
    const warnings: string[] = [];
    await using own = await testServer(
      { chat },
      { onWarning: (message) => warnings.push(message) },
    );
    const url = `${own.url}/v1/chat/completions`;
    for (const more of [{}, {}, { messages: [...body.messages, ...body.messages] }]) {
      const response = await post(url, { ...body, ...more });
      expect(response.status).toBe(200);
      const header = response.headers.get('ambry-unknown-fields')?.split(', ');
      expect(header?.toSorted()).toEqual(expect.arrayContaining(names.toSorted()));
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^\/v1\/chat\/completions ignores fields/);
    expect(warnings[0]).toContain('"messages[].cache_control"');
  });

  test.each([
    ['/v1/chat/completions', {}, 'messages[0].cache_control'],
    [
      '/v1/chat/completions',
      { messages, stream_options: null, '__proto__ ': undefined, größe: undefined },
      'Did you mean \\"max_tokens\\"?',
    ],
    ['/v1/chat/completions', { messages, stream_options: { usage: true } }, 'stream_options.usage'],
    ['/api/chat', {}, 'messages[0].cache_control: There is no field'],
  ])('is a bad request at %s of a strict server', async (path, more, place) => {
    await using own = await testServer({ chat }, { strict: true });
    const { status, text } = await post(`${own.url}${path}`, { ...body, ...more }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
    );
    expect(status).toBe(400);
    expect(text).toContain(place);
  });

  test('does not change objects', async () => {
    const polluting =
      '{"model": "chat", "messages": [{"role": "user", "content": "a", "__proto__": {"x": 1}}]}';
    const response = await post(`${server.url}/v1/chat/completions`, polluting);
    expect(response.status).toBe(200);
    expect(response.headers.get('ambry-unknown-fields')).toBe('messages[0].__proto__');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
