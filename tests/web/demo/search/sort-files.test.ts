import { describe, expect, test } from 'vitest';
import { sortFiles } from '../../../../web/demo/search/sort-files.ts';
import type { PathFile } from '../../../../web/demo/shared/given-files.ts';

function given(path: string, content: string | Uint8Array<ArrayBuffer> = 'some text'): PathFile {
  return { path, file: new File([content], path.slice(path.lastIndexOf('/') + 1)) };
}

const kBinary = new Uint8Array([1, 0, 2, 0]);

async function kindsOf(...files: readonly PathFile[]): Promise<string> {
  return (await sortFiles(files)).kind;
}

describe('sortFiles', () => {
  test.each([
    ['notes.txt', 'some text', 'documents'],
    ['NOTES.MD', 'some text', 'documents'],
    ['README', 'some text', 'documents'],
    ['page.html', '<p>', 'documents'],
    ['a.weights', 'EMBD', 'model'],
    ['renamed.dat', 'EMBD and more', 'model'],
    ['a.ambryindex', 'anything', 'index'],
    ['renamed.dat', 'AMBRYIDX and more', 'index'],
  ])('takes %s holding %j as %s', async (path, content, kind) => {
    expect(await kindsOf(given(path, content))).toBe(kind);
  });

  test('sends a binary file of no known kind to the reader that can name it', async () => {
    expect(await kindsOf(given('photo.jpg', kBinary))).toBe('model');
  });

  test('knows a model folder and keeps its paths', async () => {
    const drop = await sortFiles([
      given('mini/1_Pooling/config.json'),
      given('mini/config.json'),
      given('mini/model.safetensors', kBinary),
      given('mini/vocab.txt'),
    ]);
    expect(drop.kind).toBe('directory');
    if (drop.kind === 'directory') {
      expect(drop.name).toBe('mini');
      expect([...drop.files.keys()]).toEqual([
        '1_Pooling/config.json',
        'config.json',
        'model.safetensors',
        'vocab.txt',
      ]);
    }
  });

  test('knows loose files of a model folder', async () => {
    expect(await kindsOf(given('config.json'), given('model.safetensors', kBinary))).toBe(
      'directory',
    );
    expect(await kindsOf(given('config.json'), given('vocab.txt'))).toBe('directory');
  });

  test('takes a lone config.json for a document', async () => {
    expect(await kindsOf(given('config.json', '{}'))).toBe('documents');
  });

  test('names what is left out of a folder of documents', async () => {
    const drop = await sortFiles([given('a/1.txt'), given('a/2.jpg', kBinary), given('a/3.css')]);
    expect(drop).toMatchObject({ kind: 'documents', leftOut: ['a/2.jpg', 'a/3.css'] });
  });

  test('refuses documents beside a model', async () => {
    const drop = await sortFiles([given('1.txt'), given('b.weights', 'EMBD')]);
    expect(drop).toMatchObject({ kind: 'mixture' });
    expect(drop.kind === 'mixture' && drop.message).toContain('b.weights');
  });
});
