// The rows that the build makes scripts and entries of, against what the package publishes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readModules } from '../../../wasm/module-files.mjs';
import { entries, kinds, workers } from '../../../web/src/entries/entry-table.ts';

const root = new URL('../../../', import.meta.url);
const source = new URL('web/src/', root);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>;
};

test('each entry is published for pages and for Node', () => {
  for (const name of Object.keys(entries)) {
    expect(exports[`./${name}`]).toEqual({
      types: `./dist/${name}.d.ts`,
      node: `./dist/node-${name}.js`,
      default: `./dist/${name}.js`,
    });
  }
});

test('each script is made of a row or written out', () => {
  const written = readdirSync(new URL('entries/workers/', source));
  for (const [name, row] of Object.entries(workers)) {
    const file = name === 'all' ? 'worker.ts' : `${name}-worker.ts`;
    expect(written.includes(file), name).toBe(row === null);
  }
});

test('each module of the package is served by a worker of its name', () => {
  const modules = readModules().filter((module) => !module.package);
  for (const { name } of modules) {
    const worker = name.replace('ambry-', '') as keyof typeof workers;
    expect(Object.keys(workers)).toContain(worker);
    expect(workers[worker]?.module ?? worker).toBe(worker);
  }
});

describe('the rows name files that are there', () => {
  const files = [
    ...Object.values(kinds).flatMap((row) => [
      row.class[1],
      row.types,
      row.chooseWorker?.[1],
      row.make?.[1],
    ]),
    ...Object.values(workers).map((row) => row?.handlers[1]),
    ...Object.values(entries).flatMap(({ classes, make }) => [
      ...Object.values(classes),
      make?.[1],
    ]),
  ].filter((file) => file !== undefined);

  test.each([...new Set(files)])('%s', (file) => {
    expect(existsSync(new URL(file, source))).toBe(true);
  });
});
