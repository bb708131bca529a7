// Pages import the client and the element. They must not bring what is for the builder, or for Node.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** The modules that a file imports while it runs, with those of its own package, by their names. */
function importsOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) {
    return found;
  }
  found.add(path);
  const text = readFileSync(path, 'utf8');
  const add = (name: string) => {
    if (name.startsWith('.')) {
      importsOf(join(dirname(path), name), found);
    } else {
      found.add(name);
    }
  };
  for (const [, clause = '', name = ''] of text.matchAll(
    /^(?:import|export) ([^;]*?)from '([^']+)';/gms,
  )) {
    if (clause.startsWith('type ')) {
      continue;
    }
    add(name);
  }
  for (const [, name = ''] of text.matchAll(/\bimport\('([^']+)'\)/g)) {
    add(name);
  }
  return found;
}

const searching = ['ambry/static-encoder', 'ambry/terms'];

// The element shows control characters of passages, which `ambry/tables` writes out.
test.each([
  ['index.ts', searching],
  ['element.ts', [...searching, 'ambry/tables']],
])('%s imports nothing of Node and nothing of the builder', (entry, wanted) => {
  const found = [...importsOf(join(source, entry))];
  const own = found
    .filter((name) => name.startsWith(source))
    .map((name) => name.slice(source.length));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((name) => name.startsWith('build'))).toEqual([]);
  const others = found.filter(
    (name) => !name.startsWith(source) && !name.startsWith('@orama/stemmers/'),
  );
  expect(others.toSorted()).toEqual(wanted.toSorted());
});
