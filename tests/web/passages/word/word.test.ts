import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';
import { item, paragraph, run, style, table, type WordContent, wordFile } from './word-file.ts';

const texts = async (content: WordContent) =>
  (await passagesOf('a.docx', wordFile(content))).map(({ text }) => text);

describe('a Word document', () => {
  test('has headings, paragraphs and items, each with its number', async () => {
    const styles =
      style('berschrift1', 'heading 1') +
      style('Eigene', 'Own', '<w:basedOn w:val="berschrift1"/>') +
      style('Sub', 'Sub', '<w:outlineLvl w:val="1"/>');
    const body =
      paragraph(run('Owls'), 'berschrift1') +
      paragraph(run('They hunt ') + run('mice &amp; voles.')) +
      item(run('at night')) +
      item(run('in woods')) +
      paragraph(run('Food'), 'Sub') +
      paragraph(run('Mice.')) +
      paragraph(run('Bats'), 'Eigene') +
      paragraph(run('They fly.'));
    const { passages, encoding, warnings } = await read('a.docx', wordFile({ body, styles }));
    expect([encoding, warnings]).toEqual([null, []]);
    expect(passages).toMatchObject([
      { text: 'Owls: They hunt mice & voles.\nat night\nin woods', heading: 'Owls', position: 2 },
      { text: 'Owls › Food: Mice.', position: 6 },
      { text: 'Bats: They fly.', position: 8 },
    ]);
  });

  test('has its title above all headings', async () => {
    const body =
      paragraph(run('All birds'), 'Title') +
      paragraph(run('Owls'), 'Heading1') +
      paragraph(run('Hoot.'));
    expect(await texts({ body })).toEqual(['All birds › Owls: Hoot.']);
  });

  test('has footnotes and endnotes after their paragraph', async () => {
    const footnotes = `<w:footnote w:type="separator" w:id="0"><w:p>${run('NO')}</w:p></w:footnote><w:footnote w:id="2"><w:p>${run('A note.')}</w:p></w:footnote>`;
    const endnotes = `<w:endnote w:id="1"><w:p>${run('An end.')}</w:p></w:endnote>`;
    const body = paragraph(
      `${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' goes on.')}<w:r><w:endnoteReference w:id="1"/></w:r>`,
    );
    expect(await texts({ body, footnotes, endnotes })).toEqual(['Text goes on. A note. An end.']);
  });

  test('has tables, whose first row names the columns where it is marked', async () => {
    const header = '<w:tblLook w:firstRow="1"/>';
    const rows = [
      ['Name', 'Born', 'Died'],
      ['Ada', '1815', '1852'],
      ['Alan', '1912', ''],
    ];
    expect(await texts({ body: table(header, ...rows) })).toEqual([
      'Name: Ada; Born: 1815; Died: 1852\nName: Alan; Born: 1912',
    ]);
    expect(await texts({ body: table('', ['Name', 'Ada'], ['Born', '1815']) })).toEqual([
      'Name; Ada\nBorn; 1815',
    ]);
    const marked = table('', ['Name', 'Born'], ['Ada', '1815']).replace(
      '<w:tr>',
      '<w:tr><w:trPr><w:tblHeader/></w:trPr>',
    );
    expect(await texts({ body: marked })).toEqual(['Name: Ada; Born: 1815']);
    const inner = table('', ['a', 'b']);
    const nested = `<w:tbl><w:tr><w:tc>${inner}${paragraph(run('c'))}</w:tc><w:tc>${paragraph(run('d'))}</w:tc></w:tr></w:tbl>`;
    expect(await texts({ body: nested })).toEqual(['a b c; d']);
  });

  test('has no deleted text, fields, contents, or second forms of a text box', async () => {
    const box = `<mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph(run('Box.'))}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${paragraph(run('NO'))}</w:txbxContent></mc:Fallback></mc:AlternateContent>`;
    const body =
      paragraph(run('NO'), 'TOC1') +
      paragraph(
        `${run('Kept')}<w:del><w:r><w:delText>NO</w:delText></w:r></w:del><w:ins>${run(' new')}</w:ins><w:moveFrom>${run('NO')}</w:moveFrom><w:r><w:instrText>NO</w:instrText></w:r>`,
      ) +
      paragraph(`<w:r>${box}</w:r>${run('After.')}`);
    expect(await texts({ body, styles: style('TOC1', 'toc 1') })).toEqual(['Kept new Box. After.']);
  });

  test('has descriptions of pictures, formulas, breaks and the base of ruby', async () => {
    const picture =
      '<w:drawing><wp:inline><wp:docPr id="1" name="x" descr="an owl"/></wp:inline></w:drawing>';
    const ruby = `<w:ruby><w:rt>${run('つき')}</w:rt><w:rubyBase>${run('月')}</w:rubyBase></w:ruby>`;
    const body = paragraph(
      `${run('See')}<w:r>${picture}</w:r><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath><w:r><w:br/><w:t>Netz</w:t><w:softHyphen/><w:t>gerät e</w:t><w:noBreakHyphen/><w:t>mail</w:t></w:r><w:r><w:tab/></w:r>${ruby}${run('夜')}`,
    );
    expect(await texts({ body })).toEqual(['See an owl a+b Netzgerät e-mail 月夜']);
  });

  test('may be large', async () => {
    const body = Array.from({ length: 20_000 }, (_, i) =>
      paragraph(run(`Paragraph ${i} of owls.`)),
    ).join('');
    const passages = await passagesOf('a.docx', wordFile({ body }));
    expect(passages.at(-1)?.text).toContain('Paragraph 19999');
    expect(passages.at(-1)?.position).toBeGreaterThan(19_900);
  });
});

describe('an archive that is no Word document, or a damaged one', () => {
  const zip = (files: Record<string, Uint8Array>, level: 0 | 9 = 9) =>
    new Uint8Array(zipSync(files, { level }));
  const text = (part: string) => new TextEncoder().encode(part);

  test.each([
    ['other archives', zip({ 'a.txt': text('a') }), 'Unsupported', /no word\/document\.xml/],
    ['plain text', text('Just text.'), 'BadMagic', /does not begin with PK/],
    [
      'an old document',
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
      'Unsupported',
      /password, or an old/,
    ],
    [
      'the first half',
      wordFile({ body: paragraph(run('a')) }).slice(0, 300),
      'Truncated',
      /list of its parts/,
    ],
  ] as const)('%s', async (_, bytes, code, message) => {
    await expect(read('x/a.docx', bytes)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  test('damaged data is an error that names the part and the byte', async () => {
    const bytes = wordFile({ body: paragraph(run('Owls. '.repeat(500))) });
    const name = new TextEncoder().encode('word/document.xml');
    const at = Buffer.from(bytes).indexOf(name) + name.length;
    bytes.fill(0xff, at + 4, at + 40);
    await expect(read('a.docx', bytes)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'word/document.xml',
      byteOffset: expect.any(Number) as number,
      message: expect.stringContaining('a.docx is damaged') as string,
    });
  });

  test('an encrypted part is an error', async () => {
    const bytes = wordFile({ body: paragraph(run('a')) });
    // The flag in the list at the end.
    for (let at = 0; at + 4 < bytes.length; at++) {
      if (
        bytes[at] === 0x50 &&
        bytes[at + 1] === 0x4b &&
        bytes[at + 2] === 1 &&
        bytes[at + 3] === 2
      ) {
        bytes[at + 8] = (bytes[at + 8] ?? 0) | 1;
      }
    }
    await expect(read('a.docx', bytes)).rejects.toMatchObject({
      code: 'Unsupported',
      message: expect.stringContaining('password') as string,
    });
  });

  test('a small archive of much text is refused before it fills the memory', async () => {
    const bomb = zip({ 'word/document.xml': new Uint8Array(40 << 20).fill(0x20) });
    expect(bomb.length).toBeLessThan(1 << 20);
    await expect(read('a.docx', bomb)).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'word/document.xml',
    });
  });

  test('elements may not be nested without an end', async () => {
    const body = '<w:sdt>'.repeat(5000);
    await expect(read('a.docx', wordFile({ body }))).rejects.toMatchObject({
      code: 'LimitExceeded',
    });
  });

  test('stored parts, and entities of a DTD, are read as they are', async () => {
    const dtd = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
    const body = `${dtd}<w:document><w:body>${paragraph(run('x &b; y'))}</w:body></w:document>`;
    const passages = await passagesOf('a.docx', zip({ 'word/document.xml': text(body) }, 0));
    expect(passages[0]?.text).toBe('x &b; y');
  });
});
