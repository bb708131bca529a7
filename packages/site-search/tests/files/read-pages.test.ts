// Which pages the builder takes into an index.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeChunk } from '../../src/shared/chunks.ts';
import { filePath } from '../../src/shared/file-name.ts';
import { manifestOf } from '../support/index-files.ts';
import { makeSite, page } from '../support/site.ts';

describe('pages', () => {
  test('that are copies, hidden or empty are left out, and counted', async () => {
    const text = '<p>The same text on two pages.</p>';
    const { result, out } = await makeSite({
      'a.html': page('A', text),
      'b.html': page('B', text),
      'c.html': page('C', '<p>Another address.</p>').replace(
        '</head>',
        '<link rel="canonical" href="https://host.example/base/a.html"></head>',
      ),
      'd.html': page('D', '<p>Alone.</p>').replace(
        '</head>',
        '<meta name=robots content=noindex></head>',
      ),
      'e.html': page('E', '<img src="x">'),
      'own.html': page('Own', '<p>Its own address.</p>').replace(
        '</head>',
        '<link rel="canonical" href="https://host.example/own"></head>',
      ),
    });
    expect(result).toMatchObject({ pages: 2, duplicates: 2, hidden: 1, empty: 1 });
    expect((await manifestOf(out)).pages).toBe(2);
  });

  test('that lead elsewhere, and the page for errors, are left out', async () => {
    const { result } = await makeSite({
      'new.html': page('New', '<p>Zebras live here.</p>'),
      'old.html': page('Old', '<p>Zebras moved.</p>').replace(
        '</head>',
        '<meta http-equiv="refresh" content="0; url=new.html"></head>',
      ),
      'short.html': page('Old', '<p>Zebras moved.</p>').replace(
        '</head>',
        '<meta http-equiv="Refresh" content="0;/new.html"></head>',
      ),
      'script.html': page('Old', '<p>Moved.</p>').replace(
        '</head>',
        '<script>window.location.replace("/new.html")</script></head>',
      ),
      'clock.html': page('Clock', '<p>Loads itself again.</p>').replace(
        '</head>',
        '<meta http-equiv="refresh" content="300"></head>',
      ),
      '404.html': page('Not found', '<p>No zebra is here.</p>'),
      'de/404.html': page('Nichts', '<p>Kein Zebra ist hier.</p>'),
      'guide/404.html': page('The answer 404', '<p>What the number says.</p>'),
    });
    expect(result).toMatchObject({ pages: 3, hidden: 2, redirects: 3 });
  });

  test('that all ask not to be found are an error with their number, or are read', async () => {
    const hidden = '<meta name="robots" content="noindex"></head>';
    const pages = {
      'a.html': page('A', '<p>An ant.</p>').replace('</head>', hidden),
      'b.html': page('B', '<p>A bee.</p>').replace('</head>', hidden),
    };
    await expect(makeSite(pages)).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('2 of 2 pages ask not to be found (noindex)'),
    });
    const { result } = await makeSite(pages, { noindex: 'ignore' });
    expect(result).toMatchObject({ pages: 2, hidden: 0 });
  });

  test('without a mark that is required are left out', async () => {
    const pages = {
      'a.html': page('A', '<p data-pagefind-body>An ant.</p>'),
      'b.html': page('B', '<p>A bee.</p>'),
    };
    const { result } = await makeSite(pages, { requires: '[data-pagefind-body]' });
    expect(result).toMatchObject({ pages: 1, hidden: 1 });
  });

  test('with a part in common have one row for it', async () => {
    const same = '<h2>Licence</h2><p>Everything here is free.</p>';
    const { out } = await makeSite({
      'a.html': page('A', same),
      'b.html': page('B', `${same}<h2>Alone</h2>`),
      'c.html': page('C', `<p>About ships.</p>${same}`),
    });
    const { parts, sets } = await manifestOf(out);
    expect(parts).toBe(3);
    expect(sets.vectors?.chunks).toBe(1);
    // A list has the number of its two rows, two gaps, two factors, and 96 bytes of codes for each.
    const { name = '' } = sets.vectors ?? {};
    const pack = new Uint8Array(readFileSync(join(out, filePath.pack('vectors', name, 0))));
    expect(decodeChunk(name, 0, pack, 'list').length).toBe(1 + 2 + 2 + 2 * 96);
  });

  test('that are huge are divided into parts', async () => {
    const paragraphs = Array.from(
      { length: 400 },
      (_, i) => `<p>Paragraph ${i} is about item ${i * 7} and says a few more words on it.</p>`,
    );
    const { out, result } = await makeSite({ 'a.html': page('A', paragraphs.join('')) });
    const { pages, parts } = await manifestOf(out);
    expect(pages).toBe(1);
    expect(parts).toBeGreaterThan(5);
    expect(parts).toBeLessThan(result.passages);
  });

  test('above the limit are refused, or skipped', async () => {
    const pages = { 'a.html': page('A', 'one'), 'b.html': '<div>'.repeat(1000) };
    await expect(makeSite(pages)).rejects.toMatchObject({ code: 'LimitExceeded', path: 'b.html' });
    const warnings: string[] = [];
    const { result } = await makeSite(pages, {
      skipBad: true,
      onWarning: (line) => warnings.push(line),
    });
    expect(result).toMatchObject({ pages: 1, skipped: 1 });
    expect(warnings.join()).toMatch(/^b\.html is skipped. LimitExceeded: .*pageDepth/);
  });
});
