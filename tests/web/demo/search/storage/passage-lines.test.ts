import { expect, test } from 'vitest';
import { linesOf, readPassages } from '../../../../../web/demo/search/storage/passage-lines.ts';
import { source } from '../documents/document-source.ts';

test('documents are read as they were written', () => {
  const given = [source('a', 1, 2), source('b', 0, 5000), source('empty', 0, 0)];
  const passages = new Map();
  readPassages([...linesOf(given)].join(''), passages);
  expect([...passages.keys()]).toEqual(['a', 'b', 'empty']);
  expect(passages.get('a')).toEqual([{ text: 'a 0' }, { text: 'a 1' }, { text: 'a 2' }]);
  expect(passages.get('b')).toHaveLength(5000);
});

test('incomplete lines are refused', () => {
  const text = [...linesOf([source('a', 0, 2)])].join('').replace('}\n', '\n');
  expect(() => readPassages(text, new Map())).toThrow(SyntaxError);
});
