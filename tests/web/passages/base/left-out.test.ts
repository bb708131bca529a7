import { describe, expect, test } from 'vitest';
import { leftOutOf, passageFileTypes } from '../../../../web/src/entries/passages/passages.ts';
import { adviceFor } from '../../../../web/src/passages/base/left-out.ts';
import { read } from '../reading.ts';

describe('files of types that are not read', () => {
  test('are grouped by their kinds, with advice', () => {
    const paths = ['a.rtf', 'b/c.png', 'd.JPG', 'e.xyz', 'f.xyz', 'Makefile', 'g.woff2'];
    expect(leftOutOf(paths)).toEqual([
      { count: 2, name: 'pictures', types: ['.jpg', '.png'], advice: expect.any(String) as string },
      { count: 2, name: 'files of the type .xyz', types: ['.xyz'] },
      {
        count: 1,
        name: 'RTF document',
        types: ['.rtf'],
        advice: 'Save it as .docx, .pdf or .txt.',
      },
      { count: 1, name: 'file without a type', types: [''], advice: expect.any(String) as string },
      { count: 1, name: 'font', types: ['.woff2'] },
    ]);
    expect(leftOutOf([])).toEqual([]);
  });

  test('are none of those that are read', () => {
    expect(passageFileTypes.filter((type) => adviceFor(type) !== undefined)).toEqual([]);
    expect(leftOutOf(passageFileTypes.map((type) => `a${type}`)).map(({ name }) => name)).toEqual(
      passageFileTypes.map((type) => `file of the type ${type}`),
    );
  });

  test('are refused with what can be done', async () => {
    for (const type of [
      '.rtf',
      '.doc',
      '.odt',
      '.epub',
      '.xlsx',
      '.pptx',
      '.zip',
      '.tex',
      '.org',
      '.py',
    ]) {
      await expect(read(`a${type}`, 'text')).rejects.toMatchObject({
        code: 'Unsupported',
        message: expect.stringMatching(
          /^a\.\w+ has a type that is not supported\. .+\.$/,
        ) as string,
      });
    }
    await expect(read('a.xyz', 'text')).rejects.toMatchObject({
      message: expect.stringContaining('Supported types are .txt') as string,
    });
  });
});
