// The tables that TypeScript has of the core (wasm/write-tables.mjs), and the pages that list their rows.
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { exportedTables, tablesText } from '../../wasm/write-tables.mjs';
import {
  architectureNames,
  dtypes,
  formats,
  formatsByExtension,
  modelMagics,
  quantizations,
  quantizeTypes,
  targetExtensions,
} from '../../web/src/wasm/tables.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The cells of a page's tables, row by row. */
const tableRows = (page: string) =>
  page.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|---'));

describe('tables.ts', () => {
  it('is up to date with the built module', async () => {
    expect(read('web/src/wasm/tables.ts')).toBe(tablesText(await exportedTables()));
  });

  it('derives the target format from an extension that only one format has', () => {
    expect(formatsByExtension).toMatchObject({ '.weights': 'embd', '.fifu': 'finalfusion' });
    expect(formatsByExtension).not.toHaveProperty('.bin');
    expect(targetExtensions).toMatchObject({ tinyruntime: '.bin', fasttext: '.bin' });
    expect(targetExtensions).not.toHaveProperty('pytorch');
  });

  it('detects the formats that run by their first bytes', () => {
    expect(modelMagics).toEqual(
      expect.arrayContaining([
        ['FiFu', 'words'],
        ['AMBEE', 'generator'],
        ['\0tla', 'generator'],
        ['EMBD', 'encoder'],
      ]),
    );
    const ids = formats.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('quantizes AMB to the types that only AMB has', () => {
    const held = dtypes.filter(({ block, formats }) => block === null && 'amb' in formats);
    expect(quantizations.amb).toEqual(held.map(({ name }) => name));
    expect(quantizeTypes).toEqual(expect.arrayContaining([...quantizations.finalfusion]));
  });
});

describe('pages', () => {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

  it('docs/what-opens.md lists the architectures of every container', () => {
    const { ggufGenerators, ggufEncoders, directoryGenerators, directoryEncoders, amb, embd } =
      architectureNames;
    const rows = tableRows(read('docs/what-opens.md'));
    expect(rows).toEqual(
      expect.arrayContaining([
        `| GGUF (\`general.architecture\`) | ${listed(ggufGenerators)} | ${listed(ggufEncoders)} |`,
        `| Hugging Face directory (\`model_type\`) | ${listed(directoryGenerators)} | ${listed(directoryEncoders)} |`,
        `| AMB, EMBD (\`architecture\`) | ${listed(amb)} | ${listed(embd)} |`,
      ]),
    );
  });

  test.each([
    ['core/formats/gguf/README.md', /The architectures are ([^;]*);/, 'ggufGenerators'],
    ['core/formats/gguf/README.md', /EMBD is made of ([^.]*)\./, 'ggufEncoders'],
    ['core/formats/huggingface/README.md', /is one of ([^;]*);/, 'directoryGenerators'],
  ] as const)('%s lists the architectures: %s', (path, sentence, container) => {
    const [, list = ''] = sentence.exec(read(path).replace(/\s+/g, ' ')) ?? [];
    const names = [...list.matchAll(/`([^`]*)`/g)].map(([, name]) => name);
    expect(names).toEqual([...architectureNames[container]]);
  });

  it('docs/what-opens.md has a table row for every format that can be read', () => {
    // Names in the table are links to the formats' pages.
    const rows = tableRows(read('docs/what-opens.md').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    for (const { inspects, label, extensions } of formats) {
      if (!inspects) {
        continue;
      }
      const row = rows.find((cells) => cells.toLowerCase().startsWith(`| ${label.toLowerCase()}`));
      expect(row, label).toBeDefined();
      for (const extension of extensions) {
        expect(row).toContain(`\`${extension}\``);
      }
    }
  });

  it('docs/what-opens.md names all import formats and all quantized types', () => {
    const page = read('docs/what-opens.md');
    for (const { inspects, label } of formats) {
      if (!inspects) {
        expect(page).toContain(label);
      }
    }
    for (const type of quantizeTypes) {
      expect(page).toContain(`\`${type}\``);
    }
  });

  it('core/formats/README.md has a row for every format', () => {
    const rows = tableRows(read('core/formats/README.md'));
    for (const { inspects, id } of formats) {
      if (inspects) {
        expect(rows.some((cells) => cells.includes(`[${id}](${id}/README.md)`))).toBe(true);
      }
    }
  });
});
