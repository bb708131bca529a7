// Passages on their way to the caller.
import { expect, test } from 'vitest';
import {
  BatchMaker,
  type PassageBatch,
  PassageList,
} from '../../../../web/src/passages/reading/passage-batches.ts';

const passagesIn = (...batches: PassageBatch[]) => {
  const list = new PassageList('a.md');
  for (const batch of batches) {
    list.add(batch);
  }
  return list.passages;
};

test('passages have what their group shares, and only that', () => {
  const maker = new BatchMaker();
  const heading = { heading: 'Owls' };
  maker.add('a', 'one', 1, heading);
  maker.add('b', 'two', 2, heading);
  maker.add(3, 'three', 3, {});
  maker.add(4, 'four', 4, { fields: { tag: 'x', text: 'not this' }, isPaged: true });
  const batch = maker.take();
  expect(batch.groups).toHaveLength(3);
  expect(passagesIn(batch)).toEqual([
    { id: 'a', text: 'one', source: 'a.md', position: 1, heading: 'Owls' },
    { id: 'b', text: 'two', source: 'a.md', position: 2, heading: 'Owls' },
    { id: 3, text: 'three', source: 'a.md', position: 3 },
    { id: 4, text: 'four', source: 'a.md', position: 4, page: 4, tag: 'x' },
  ]);
});

test('large fields are sent once', () => {
  const maker = new BatchMaker();
  const shared = { fields: { body: 'long' } };
  maker.add(1, 'one', 1, shared);
  const first = maker.take();
  maker.add(2, 'two', 1, shared);
  maker.add(3, 'three', 2, {});
  const second = maker.take();
  expect(second.groups).toEqual([{ goesOn: true, passages: 1 }, { passages: 1 }]);
  const found = passagesIn(first, second);
  expect(found.map((passage) => passage['body'])).toEqual(['long', 'long', undefined]);
});

test('a batch is full after some passages or much text, and begins anew', () => {
  const maker = new BatchMaker();
  const shared = {};
  const sizes: number[] = [];
  for (let i = 0; i < 2000; i++) {
    maker.add(i, i === 700 ? 'x'.repeat(1_000_000) : 'x', i, shared);
    if (maker.isFull) {
      sizes.push(passagesIn(maker.take()).length);
    }
  }
  expect(sizes).toEqual([512, 189, 512, 512]);
  expect(
    passagesIn(maker.take())
      .map(({ id }) => id)
      .at(-1),
  ).toBe(1999);
  expect(maker.isEmpty).toBe(true);
});
