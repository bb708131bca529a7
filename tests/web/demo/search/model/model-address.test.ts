import { expect, test } from 'vitest';
import { directoryAt } from '../../../../../web/demo/search/model/model-address.ts';

test.each([
  ['https://example.org/a.weights'],
  ['https://example.org/vectors.fifu?x=1'],
  ['blob:https://example.org/123'],
  ['data:text/plain,hello'],
])('%s is not a folder', (address) => {
  expect(directoryAt(address)).toBeNull();
});

const hubModel = 'https://huggingface.co/org/mini-v1.5';

test.each([
  ['https://example.org/mini/', 'mini', 'https://example.org/mini/', false],
  ['https://example.org/mini', 'mini', 'https://example.org/mini/', true],
  ['https://example.org/mini-v1.5', 'mini-v1.5', 'https://example.org/mini-v1.5/', true],
  ['https://example.org/mini/model.safetensors', 'mini', 'https://example.org/mini/', false],
  ['https://example.org/', 'example.org', 'https://example.org/', false],
  [hubModel, 'mini-v1.5', `${hubModel}/resolve/main/`, false],
  [`${hubModel}/tree/v2`, 'mini-v1.5', `${hubModel}/resolve/v2/`, false],
  [`${hubModel}/blob/main/model.safetensors`, 'mini-v1.5', `${hubModel}/resolve/main/`, false],
  [`${hubModel}/resolve/main/`, 'mini-v1.5', `${hubModel}/resolve/main/`, false],
])('%s is the folder %s', (address, name, root, ambiguous) => {
  expect(directoryAt(address)).toEqual({
    name,
    root,
    weights: `${root}model.safetensors`,
    ambiguous,
  });
});

test('other names of weights and the query string are kept', () => {
  expect(directoryAt('https://example.org/a/fine.safetensors?key=1')).toMatchObject({
    root: 'https://example.org/a/?key=1',
    weights: 'https://example.org/a/fine.safetensors?key=1',
  });
});
