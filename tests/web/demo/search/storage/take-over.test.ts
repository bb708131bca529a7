import { expect, test } from 'vitest';
import { mergeSaved } from '../../../../../web/demo/search/storage/take-over.ts';

const source = (id: string) => ({ id, name: `${id}.txt`, passages: [{ text: id }] });
const waiting = (id: string) => ({ id, name: `${id}.txt`, passages: [], waiting: [{ text: id }] });
const model = { source: '/a', name: 'a', builtIn: true, converted: null };
const saved = (...ids: string[]) => ({
  model,
  builtInNotes: ids.length === 0,
  sources: ids.map(waiting),
});
const state = (...ids: string[]) => ({ sources: ids.map(source), builtInNotes: false });

test('the documents of the other tab come after those of this one', () => {
  expect(mergeSaved(state('a', 'b'), saved('a', 'c'), new Set(['a', 'b']))).toEqual({
    sources: [source('a'), source('b'), waiting('c')],
    builtInNotes: false,
    replaceIndex: false,
  });
});

test('a document that was removed here stays removed', () => {
  expect(mergeSaved(state('b'), saved('a'), new Set(['a', 'b']))).toBeNull();
});

test('they replace the built-in notes', () => {
  const notes = { sources: [source('notes')], builtInNotes: true };
  expect(mergeSaved(notes, saved('a'), new Set(['notes']))).toEqual({
    sources: [waiting('a')],
    builtInNotes: false,
    replaceIndex: true,
  });
});

test('where the other tab has saved nothing, everything stays', () => {
  expect(mergeSaved(state('a'), saved(), new Set(['a']))).toBeNull();
  expect(mergeSaved(state('a'), null, new Set(['a']))).toBeNull();
});
