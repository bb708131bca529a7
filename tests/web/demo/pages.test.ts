// What the pages' HTML repeats of the package's lists: pages work before their scripts have come.
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { emptyState } from '../../../web/demo/convert/state.ts';
import {
  blockSizes,
  formats,
  keyValueTypes,
  quantizeDefaults,
  wordMetrics,
} from '../../../web/src/entries/tables.ts';
import { passageFileTypes } from '../../../web/src/passages/base/file-types.ts';

const page = (path: string) =>
  readFileSync(new URL(`../../../web/demo/${path}`, import.meta.url), 'utf8');

/** The element with this id, with what it contains. */
function elementOf(html: string, id: string): string {
  const [found] = new RegExp(`<(\\w+)[^>]*\\sid="${id}"[^>]*>(?:.*?</\\1>)?`, 's').exec(html) ?? [];
  if (found === undefined) {
    throw new Error(`no element has the id ${id}`);
  }
  return found;
}

const attributesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
const optionsOf = (html: string, id: string) =>
  attributesOf(elementOf(html, id).replace(/^<[^>]*>/, ''), 'value');

describe('the options of a select', () => {
  test.each([
    ['chat/index.html', 'kv', keyValueTypes],
    ['words/index.html', 'metric', wordMetrics],
  ] as const)('%s: %s', (path, id, values) => {
    expect(optionsOf(page(path), id)).toEqual([...values]);
  });

  it('convert/index.html: block, without the whole tensor', () => {
    const sizes = blockSizes.filter((size) => size !== 0);
    expect(optionsOf(page('convert/index.html'), 'block').map(Number)).toEqual(sizes);
    expect(emptyState.settings.block).toBe(quantizeDefaults.block);
  });
});

it('the number of bits is the one that the convert page begins with', () => {
  const html = elementOf(page('convert/index.html'), 'bits');
  expect(attributesOf(html, 'value')).toEqual([String(emptyState.settings.bits)]);
});

describe('the files that an input takes', () => {
  const typesOf = (html: string) => attributesOf(html, 'accept').map((list) => list.split(','));

  it('are the documents that the package reads', () => {
    expect(typesOf(page('search/index.html'))).toContainEqual([...passageFileTypes]);
  });

  it('are the models that generate text', () => {
    const extensions = formats.flatMap(({ runs, extensions: own }) =>
      runs === 'generator' ? own : [],
    );
    const [types = []] = typesOf(page('chat/index.html'));
    expect(new Set(types)).toEqual(new Set(extensions));
  });
});

it('the convert page names every format that it reads', () => {
  const text = page('convert/index.html');
  // The page has one name for the two forms of word2vec.
  for (const { label } of formats) {
    expect(text).toContain(label.replace(/ text$/, ''));
  }
});
