import { describe, expect, test } from 'vitest';
import { decodePage } from '../../src/build/html/decode-page.ts';

const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const utf16 = (text: string, isBig: boolean, hasMark: boolean) => {
  const units = [...(hasMark ? '\ufeff' : ''), ...text].map((sign) => sign.charCodeAt(0));
  return Uint8Array.from(
    units.flatMap((unit) => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])),
  );
};
const decoded = async (bytes: Uint8Array) => (await decodePage(bytes, 'page.html')).html;

describe('a page', () => {
  test('in UTF-8 is decoded, with a mark and without', async () => {
    const bytes = new TextEncoder().encode('\ufeff<p>Füße €');
    expect(await decoded(bytes)).toBe('<p>Füße €');
    expect(await decoded(bytes.subarray(3))).toBe('<p>Füße €');
  });

  test('is read as it declares', async () => {
    const html = '<meta charset="windows-1252"><p>caf\xe9 \x80 \x93a\x94';
    expect(await decoded(latin(html))).toBe('<meta charset="windows-1252"><p>café € “a”');
    const japanese = Uint8Array.of(...latin('<meta charset=shift_jis><p>'), 0x93, 0xfa, 0x96, 0x7b);
    expect(await decoded(japanese)).toBe('<meta charset=shift_jis><p>日本');
  });

  test.each([
    [false, true],
    [true, true],
    [false, false],
  ])('in UTF-16 (big: %s, mark: %s) is decoded', async (isBig, hasMark) => {
    const text = `<html><p>${'Ein kurzer Text. '.repeat(20)}`;
    expect((await decoded(utf16(text, isBig, hasMark))).replace('\ufeff', '')).toBe(text);
  });

  test('with a stray zero byte is not taken for UTF-16', async () => {
    expect(await decoded(latin('<p>sun \0 moon'))).toBe('<p>sun   moon');
    const declared = '<meta charset="windows-1252"><p>caf\xe9 \0 au lait';
    expect(await decoded(latin(declared))).toContain('café   au lait');
  });

  test('that declares nothing is guessed, with a warning', async () => {
    const text = `<p>${'La fen\xeatre est ferm\xe9e et la for\xeat est loin. '.repeat(20)}`;
    const { html, warnings } = await decodePage(latin(text), 'page.html');
    expect(html).toContain('fenêtre');
    expect(warnings.join()).toMatch(/does not declare its encoding/);
  });

  test('that lies about UTF-8 is read all the same', async () => {
    expect(await decoded(latin('<meta charset=utf-8><p>caf\xe9 au lait'))).toContain('au lait');
  });

  test('that is a picture is refused by its path', async () => {
    const png = Uint8Array.of(
      0x89,
      0x50,
      0x4e,
      0x47,
      0x0d,
      0x0a,
      0x1a,
      0x0a,
      ...new Array(64).fill(0),
    );
    await expect(decodePage(png, 'a/b.html')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'a/b.html',
      message: expect.stringContaining('a/b.html'),
    });
  });
});
