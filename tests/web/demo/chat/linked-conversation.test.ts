// Conversations in links. Anyone can write one.
import { expect, it, test } from 'vitest';
import { packedIn } from '../../../../web/demo/chat/session/chat-link.ts';
import {
  conversationOf,
  maxLinkLength,
  withConversation,
} from '../../../../web/demo/chat/session/linked-conversation.ts';
import type { Turn } from '../../../../web/demo/chat/state/state.ts';
import { packText } from '../../../../web/demo/shared/base/pack-text.ts';

const site = 'https://example.org/chat/index.html?mode=chat';
const user = (text: string): Turn => ({ from: 'user', text, tokens: [] });
const model = (text: string): Turn => ({ from: 'model', text, tokens: [] });

async function sent(system: string, turns: readonly Turn[]) {
  const url = await withConversation(site, { system, turns });
  return url === null ? null : conversationOf(packedIn(new URL(url).hash) ?? '');
}

it('comes back with its system prompt and its messages', async () => {
  const turns = [user('What does a dragon eat?\n\tAnd why? 🐉'), model('**Sheep.**'), user('')];
  expect(await sent('Be brief.', turns)).toEqual({ system: 'Be brief.', turns });
  expect(await sent('', turns)).toEqual({ system: '', turns });
});

it('has texts only, no probabilities and no facts', async () => {
  const token = { index: 0, id: 1, text: 'b', logprob: -1 };
  const told = { ...model('b'), tokens: [token], isDropped: true };
  expect(await sent('', [user('a'), told])).toEqual({ system: '', turns: [user('a'), model('b')] });
});

it('makes no address of more than 8 KB', async () => {
  const noise = (length: number): string =>
    Array.from({ length }, (_, i) => ((i * 7919) % 65_537).toString(36)).join(' ');
  expect(await withConversation(site, { system: '', turns: [user(noise(20_000))] })).toBeNull();
  expect(
    await withConversation(site, { system: '', turns: [user('x'.repeat(300_000))] }),
  ).toBeNull();
  expect(
    (await withConversation(site, { system: '', turns: [user(noise(1000))] }))?.length,
  ).toBeLessThan(maxLinkLength);
});

test.each([
  ['no packed text', 'AAAA'],
  ['nothing', ''],
  ['no JSON', packText('{"version": 1,')],
  ['no object', packText('null')],
  ['another version', packText('{"version":2,"messages":[{"role":"user","content":"a"}]}')],
  ['no messages', packText('{"version":1,"messages":[]}')],
  ['no list', packText('{"version":1,"messages":{"length":1}}')],
  ['an unknown role', packText('{"version":1,"messages":[{"role":"tool","content":"a"}]}')],
  ['a number', packText('{"version":1,"messages":[{"role":"user","content":5}]}')],
  ['an empty message', packText('{"version":1,"messages":[null]}')],
  ['a system prompt alone', packText('{"version":1,"messages":[{"role":"system","content":"a"}]}')],
  [
    'a second system prompt',
    packText(
      '{"version":1,"messages":[{"role":"user","content":"a"},{"role":"system","content":"a"}]}',
    ),
  ],
  ['a text that becomes very long', packText('x'.repeat(20_000_000).slice(0, 5_000_000))],
])('a link with %s is refused', async (_, packed) => {
  await expect(conversationOf(await packed)).rejects.toMatchObject({
    name: 'AmbryError',
    code: 'BadValue',
    path: 'conversation',
  });
});

it('refuses what is too long before it unpacks it', async () => {
  await expect(conversationOf('A'.repeat(maxLinkLength + 1))).rejects.toMatchObject({
    code: 'LimitExceeded',
  });
  const many = Array.from({ length: 1001 }, () => ({ role: 'user', content: '' }));
  const packed = await packText(JSON.stringify({ version: 1, messages: many }));
  await expect(conversationOf(packed)).rejects.toMatchObject({ code: 'LimitExceeded' });
});

it('removes control characters', async () => {
  expect((await sent('', [user('a\u0000b\u009bc\td')]))?.turns[0]?.text).toBe('abc\td');
});

test.each([
  ['#conversation=Ab-_9', 'Ab-_9'],
  ['#conversation=a%20b', null],
  ['#conversation=a&b=c', null],
  ['#content', null],
  ['', null],
])('the part behind # of %j', (hash, packed) => {
  expect(packedIn(hash)).toBe(packed);
});
