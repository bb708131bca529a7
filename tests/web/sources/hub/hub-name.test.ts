// What names at the hub mean, and which are refused.
import { describe, expect, test } from 'vitest';
import {
  encodedPath,
  endpointOf,
  faultOf,
  parseHubName,
  tokenOf,
} from '../../../../web/src/sources/hub/hub-name.ts';

const repository = 'owner/name';

describe('a name', () => {
  test.each([
    ['hf:owner/name', { revision: undefined, path: undefined }],
    ['hf:owner/name/', { revision: undefined, path: undefined }],
    ['hf:owner/name@v1.0', { revision: 'v1.0', path: undefined }],
    ['hf:owner/name/model.gguf', { revision: undefined, path: 'model.gguf' }],
    ['hf:owner/name/a@b.gguf', { revision: undefined, path: 'a@b.gguf' }],
    ['hf:owner/name@rev/dir/file.bin', { revision: 'rev', path: 'dir/file.bin' }],
    ['hf:owner/name@refs/pr/3/file.bin', { revision: 'refs/pr/3', path: 'file.bin' }],
    ['hf:owner/name@feature%2Fone/file.bin', { revision: 'feature/one', path: 'file.bin' }],
    ['hf:owner/name/ein Gewicht ä.bin', { revision: undefined, path: 'ein Gewicht ä.bin' }],
  ])('%s', (text, { revision, path }) => {
    expect(parseHubName(text)).toEqual({ repository, revision, path });
  });

  test.each([
    'hf:',
    'hf:name',
    'hf://owner/name',
    'hf:owner/',
    'hf:../name',
    'hf:owner/na me',
    'hf:owner/a..b',
    'hf:owner/name@',
    'hf:owner/name@/file',
    'hf:owner/name@%2E%2E',
    'hf:owner/name@%zz',
    'hf:owner/name//file',
    'hf:owner/name/../file',
    'hf:owner/name/a\\b',
    'hf:owner/name/a\nb',
    `hf:owner/name/${'x'.repeat(1025)}`,
  ])('%j is refused', (text) => {
    expect(() => parseHubName(text)).toThrow(
      expect.objectContaining({
        code: 'BadValue',
        path: 'source',
        message: expect.stringContaining('hf:owner/name'),
      }),
    );
  });
});

test('paths of files are relative and plain', () => {
  for (const path of ['a', 'a/b.c', '.gitattributes', 'a..b', 'ü/ä']) {
    expect(faultOf(path)).toBe(undefined);
  }
  for (const path of [
    '',
    '/a',
    'a/',
    'a//b',
    '..',
    'a/../b',
    './a',
    'a\\b',
    'a\0',
    'a\u0085',
    'x\ud800',
  ]) {
    expect(faultOf(path), JSON.stringify(path)).toEqual(expect.any(String));
  }
  expect(encodedPath('a b/ü#?.bin')).toBe('a%20b/%C3%BC%23%3F.bin');
});

describe('the options', () => {
  test('take an endpoint with a path', () => {
    expect(endpointOf({ endpoint: 'https://mirror.example/hub/' })).toBe(
      'https://mirror.example/hub',
    );
    expect(endpointOf({})).toMatch(/^https:\/\/[a-z.]+$/);
  });

  test.each([
    '',
    'mirror.example',
    'file:///x',
    'https://u:p@x.example',
    'https://x.example/?a',
  ])('refuse the endpoint %j', (endpoint) => {
    expect(() => endpointOf({ endpoint })).toThrow(
      expect.objectContaining({ path: 'hub.endpoint' }),
    );
  });

  test.each(['', 'a b', 'a\r\nx: y', 'ü'])('refuse the token %j', (token) => {
    expect(() => tokenOf({ token })).toThrow(expect.objectContaining({ path: 'hub.token' }));
  });
});
