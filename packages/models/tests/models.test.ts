// The files that the package has, and what its README says of their sizes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'ambry';
import { type ModelName, modelNames, modelUrl } from 'ambry-models';
import { expect, test } from 'vitest';

const readme = new URL('../README.md', import.meta.url);
const sums = readFileSync(new URL('../models/SHA256SUMS', import.meta.url), 'utf8');

test('has every built-in model, and only those, with the sums of their list', () => {
  const listed = sums.trimEnd().split('\n');
  const made = modelNames.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(modelUrl(name)))
      .digest('hex');
    return `${sum}  ${name}`;
  });
  expect(made.toSorted()).toEqual(listed.toSorted());
});

test('tells the size of each file', () => {
  const text = readFileSync(readme, 'utf8');
  for (const name of modelNames) {
    const size = readFileSync(modelUrl(name)).length.toLocaleString('en');
    expect(text, name).toContain(size);
    expect(text).toContain(`\`${name}\``);
  }
});

test('opens a model by its address', async () => {
  await using model = await open(modelUrl('stories.amb'), { kind: 'generator' });
  expect((await model.generate('Once', { maxTokens: 3 }).result).text).not.toBe('');
});

test.each(['stories', '../package.json', undefined])('refuses %j by name', (name) => {
  expect(() => modelUrl(name as ModelName)).toThrow(
    expect.objectContaining({ code: 'NotFound', path: 'name' }),
  );
});
