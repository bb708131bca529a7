import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';

const texts = async (adoc: string) => (await passagesOf('a.adoc', adoc)).map(({ text }) => text);

describe('AsciiDoc', () => {
  test('has headings, and no attributes or comments', async () => {
    const text =
      '= Owls\n:toc: left\n:icons: font\n\nThey hoot.\n\n// no\n////\nno\n////\n\n[#food]\n== Food ==\n\nMice.\n\n=== More\ninclude::b.adoc[]\nVoles.\n';
    expect(await passagesOf('a.adoc', text)).toMatchObject([
      { text: 'Owls: They hoot.', position: 5 },
      { text: 'Owls › Food: Mice.', position: 15 },
      { text: 'Owls › Food › More: Voles.', position: 19 },
    ]);
  });

  test('has text without the signs of markup', async () => {
    const text =
      'Owls *hunt* _mice_ with `code_*`, https://x.org[the docs^], <<food,shown>>, <<food>>, xref:a.adoc[A], link:b.html[],\nfootnote:[A note.] kbd:[Ctrl] #marked# [.wide]#text# and snake_case a*b*c. +\nNext{nbsp}line (((hidden))) ((term)).';
    expect(await texts(text)).toEqual([
      'Owls hunt mice with code_*, the docs, shown, food, A, b.html, (A note.) Ctrl marked text and snake_case a*b*c. Next line term.',
    ]);
  });

  test('has lists, notes and titles', async () => {
    const text =
      '.A title\n* one\ngoes on\n** two\n\n. first\n. second\n\n4. fourth\n\nterm:: Meaning.\n\nNOTE: Be still.\n\n[WARNING]\n====\nHot.\n====\n\n____\nQuoted.\n____\n<1> Called out.';
    expect(await texts(text)).toEqual([
      'A title\none goes on\ntwo\n1. first\n2. second\n4. fourth\nterm: Meaning. Be still. Hot. Quoted.\nCalled out.',
    ]);
  });

  test('has code and pictures', async () => {
    const text =
      'See\n\n[source,js]\n----\nlet a; // *b*\n\n  c\n----\n\n....\nas is\n....\n\n```rb\nputs 1\n```\n\nimage::a.png[An owl,width=50]\n';
    expect(await texts(text)).toEqual([
      'See\nlet a; // *b*\n\n  c\nas is\nputs 1 An owl'.replace('\n\n  c', '\n  c'),
    ]);
  });

  test('has tables, whose rows name their columns', async () => {
    const table =
      '[cols="1,1"]\n|===\n|Name |Born\n\n|Ada\n|1815\n\n|Alan 2+|1912\ngoes on\n|===\n';
    expect(await texts(table)).toEqual(['Name: Ada; Born: 1815\nName: Alan; Born: 1912 goes on']);
    expect(await texts('|===\n|a |b\n|c |d\n|===')).toEqual(['a; b\nc; d']);
  });

  test('has rows of any number of cells', async () => {
    const passages = await passagesOf('a.adoc', `|===\n${'|a '.repeat(200_000)}\n|===\n`);
    expect(
      passages
        .map(({ text }) => text)
        .join('')
        .match(/a/g),
    ).toHaveLength(200_000);
  });

  test('of many open signs is read', async () => {
    const units = [
      '*a ',
      '_a ',
      '`a ',
      '#a ',
      '<<a',
      '[[a',
      'a[',
      '((a',
      '|===\n',
      '|a',
      '----\n',
      '* a\n',
      'a:: ',
      'https://a',
      '+++',
    ];
    for (const unit of units) {
      await read('a.adoc', unit.repeat(50_000 / unit.length));
    }
  });
});
