// Who may call a server.
import { expect, test } from 'vitest';
import { bearerOf, hostRefusal, keyCheck, originRefusal } from '../src/index.ts';

const callers = { apiKey: undefined, allowedHosts: ['Models.lan'], cors: ['https://a.example'] };

test.each(['localhost:8080', '127.0.0.1', '[::1]:80', 'models.LAN:1'])('%s is a host', (host) => {
  expect(hostRefusal(host, callers)).toBeUndefined();
});

test.each(['evil.example', 'localhost.evil.example', ''])('%s is a host of a stranger', (host) => {
  expect(hostRefusal(host, callers)).toContain(JSON.stringify(host));
  expect(hostRefusal(host, { ...callers, apiKey: 'key' })).toBeUndefined();
});

test.each([
  [undefined, 'here:1', true],
  ['http://here:1', 'here:1', true],
  ['https://a.example', 'here:1', true],
  ['https://b.example', 'here:1', false],
  ['http://here:2', 'here:1', false],
  ['null', 'here:1', false],
  ['null', undefined, false],
])('a page of %s at %s may call: %s', (origin, host, may) => {
  expect(originRefusal(origin, host, callers) === undefined).toBe(may);
  expect(originRefusal(origin, host, { ...callers, cors: ['*'] })).toBeUndefined();
});

test('keys are compared', () => {
  const refusalOf = keyCheck({ ...callers, apiKey: 'secret' });
  expect(refusalOf(bearerOf('Bearer secret'))).toBeUndefined();
  expect(refusalOf(bearerOf('bearer  secret'))).toBeUndefined();
  expect(refusalOf(bearerOf('Bearer other'))).toBe('The key is wrong.');
  expect(refusalOf(bearerOf('secret'))).toContain('needs a key');
  expect(refusalOf(undefined)).toContain('needs a key');
  expect(keyCheck(callers)(undefined)).toBeUndefined();
});
