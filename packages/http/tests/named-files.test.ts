// The names of files on the command lines of servers.
import { expect, test } from 'vitest';
import { namedFile, namedFiles } from '../src/index.ts';

test.each([
  ['models/chat.q4.gguf', 'chat.q4', 'models/chat.q4.gguf'],
  ['minilm/', 'minilm', 'minilm/'],
  ['a=b/c.amb', 'a', 'b/c.amb'],
  ['x/a=b.amb', 'a=b', 'x/a=b.amb'],
  ['hf:owner/name@main', 'name', 'hf:owner/name@main'],
  ['hf:owner/name/file.gguf', 'file', 'hf:owner/name/file.gguf'],
  ['https://example.org/m/model.amb?v=1', 'model', 'https://example.org/m/model.amb?v=1'],
  ['c=hf:owner/name', 'c', 'hf:owner/name'],
  ['notes/notes.ambryindex', 'notes', 'notes/notes.ambryindex'],
  ['a=b/c.ambryindex', 'a', 'b/c.ambryindex'],
  ['x/a=b.bin', 'a=b', 'x/a=b.bin'],
  ['hf:owner/topics@main', 'topics', 'hf:owner/topics@main'],
  [
    'https://example.org/m/docs.ambryindex?v=1',
    'docs',
    'https://example.org/m/docs.ambryindex?v=1',
  ],
])('%s has the name %s', (argument, name, file) => {
  expect(namedFile(argument)).toEqual({ name, file });
});

test('files keep their order, and no two have one name', () => {
  const usageError = (message: string) => new RangeError(message);
  expect(namedFiles(['b.amb', 'a=b.gguf'], 'models', usageError)).toEqual([
    { name: 'b', file: 'b.amb' },
    { name: 'a', file: 'b.gguf' },
  ]);
  expect(() => namedFiles(['x/b.amb', 'b=c'], 'models', usageError)).toThrow(
    new RangeError('Two models have the name b. Write one of them as NAME=c.'),
  );
});
