import { describe, expect, test } from 'vitest';
import { identifyFiles } from '../../../../../web/demo/search/session/identify-files.ts';
import { documentTypes } from '../../../../../web/demo/shared/files/file-types.ts';
import type { PathFile } from '../../../../../web/demo/shared/files/given-files.ts';
import { passageFileTypes } from '../../../../../web/src/passages/base/file-types.ts';

function given(path: string, content: string | Uint8Array<ArrayBuffer> = 'some text'): PathFile {
  return { path, file: new File([content], path.slice(path.lastIndexOf('/') + 1)) };
}

const binary = new Uint8Array([1, 0, 2, 0]);

async function kindsOf(...files: readonly PathFile[]): Promise<string> {
  return (await identifyFiles(files)).kind;
}

describe('identifyFiles', () => {
  test.each([
    ['notes.txt', 'some text', 'documents'],
    ['NOTES.MD', 'some text', 'documents'],
    ['README', 'some text', 'documents'],
    ['page.html', '<p>', 'documents'],
    ['page.HTM', 'AMBRYIDX', 'documents'],
    ['a.weights', 'EMBD', 'model'],
    ['renamed.dat', 'EMBD and more', 'model'],
    ['words.vec', '2 3\nthe 1 2 3\n', 'model'],
    ['a.ambryindex', 'anything', 'index'],
    ['renamed.dat', 'AMBRYIDX and more', 'index'],
  ])('takes %s with the content %j as %s', async (path, content, kind) => {
    expect(await kindsOf(given(path, content))).toBe(kind);
  });

  test('knows the types of documents that the package reads, and no others', () => {
    expect(documentTypes).toEqual(passageFileTypes);
  });

  test('takes an unknown binary file as a model, whose reader names the problem', async () => {
    expect(await kindsOf(given('photo.jpg', binary))).toBe('model');
  });

  test('takes documents of other programs as documents, whose reader says what to do', async () => {
    for (const name of ['table.XLSX', 'letter.odt', 'talk.pptx', 'book.epub']) {
      expect(await kindsOf(given(name, binary)), name).toBe('documents');
    }
  });

  test('finds a model folder and keeps its paths', async () => {
    const drop = await identifyFiles([
      given('mini/1_Pooling/config.json'),
      given('mini/config.json'),
      given('mini/model.safetensors', binary),
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

  test('finds the files of a model without a folder', async () => {
    expect(await kindsOf(given('config.json'), given('model.safetensors', binary))).toBe(
      'directory',
    );
    expect(await kindsOf(given('config.json'), given('vocab.txt'))).toBe('directory');
  });

  test('takes a single config.json as a document', async () => {
    expect(await kindsOf(given('config.json', '{}'))).toBe('documents');
  });

  test('lists the files that it skips in a folder of documents', async () => {
    const drop = await identifyFiles([
      given('a/1.txt'),
      given('a/2.jpg', binary),
      given('a/3.css'),
    ]);
    expect(drop).toMatchObject({ kind: 'documents', skipped: ['a/2.jpg', 'a/3.css'] });
  });

  test('refuses documents together with a model', async () => {
    const drop = await identifyFiles([given('1.txt'), given('b.weights', 'EMBD')]);
    expect(drop).toMatchObject({ kind: 'mixed' });
    expect(drop.kind === 'mixed' && drop.message).toContain('b.weights');
  });
});
