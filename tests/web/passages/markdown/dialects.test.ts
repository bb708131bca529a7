// What documentation sites, notebooks and wikis add to Markdown.
import { describe, expect, test } from 'vitest';
import { passagesOf } from '../reading.ts';

const texts = async (markdown: string) =>
  (await passagesOf('a.md', markdown)).map(({ text }) => text);

describe('attributes in braces', () => {
  test.each([
    ['# Owls {#owls}', 'Owls'],
    ['# Owls {#owls .wide key="a b"}', 'Owls'],
    ['# Owls {.wide}', 'Owls'],
    ['# Owls {-}', 'Owls'],
    ['# Owls {: #owls}', 'Owls'],
    ['# Owls {/* #owls */}', 'Owls'],
    ['# `owls()` {#owls_of-night}', 'owls()'],
    ['# Owls {#owls} #', 'Owls'],
    ['Owls {#owls}\n====', 'Owls'],
    ['# The set {1, 2}', 'The set {1, 2}'],
    ['# Write `{#id}`', 'Write {#id}'],
    ['# if (a) {b}', 'if (a) {b}'],
    ['# f {x=1}', 'f {x=1}'],
  ])('of the heading %s', async (heading, text) => {
    expect(await passagesOf('a.md', `${heading}\n\nHoot.`)).toMatchObject([
      { heading: text, text: `${text}: Hoot.` },
    ]);
  });

  test('of paragraphs, items, links, pictures and code', async () => {
    const text =
      'One ![a cat](c.png){width=50%} [two](u){:target="_blank"} `x`{.js} [three]{.small} {a}.\n{: .wide}\n\n- item {.red}\n\nSee `{.red}`\n';
    expect(await texts(text)).toEqual(['One a cat two x three {a}.\nitem See {.red}']);
  });
});

describe('containers', () => {
  test('give their titles and texts, and no colons', async () => {
    const text =
      ':::warning\nHot.\n:::\n\n::: details *More*\nInner.\n:::\n\n:::tip[With `code`]\nTip.\n:::\n\n::: info Title {open}\nEnd.\n:::';
    expect(await passagesOf('a.md', text)).toMatchObject([
      { text: 'Hot. More Inner. With code Tip. Title End.', position: 2 },
    ]);
  });

  test('may be nested, and need no blank lines', async () => {
    const pandoc =
      'Before\n:::: {.callout-note title="Called out"}\n::: {#id .wide}\nNested\n:::\n::::\nAfter';
    expect(await texts(pandoc)).toEqual(['Before Called out Nested After']);
    const list =
      '1. one\n\n   :::note\n   in a list\n   :::\n\n2. two\n   :::tip\n   tight\n   :::\n';
    expect(await texts(list)).toEqual(['1. one\nin a list\n2. two\ntight']);
    expect(await texts('::: tip\n- a\n- b\n:::\n\nc')).toEqual(['a\nb c']);
  });

  test('of MyST have options that are no text', async () => {
    const text =
      ':::{admonition} Title\n:class: wide\n:name: x\nBody.\n:::\n\n:::{figure} owl.png\nOwl.\n:::';
    expect(await texts(text)).toEqual(['Title Body. Owl.']);
  });

  test('within code are code', async () => {
    expect(await texts('```md\n:::note\ntext\n:::\n```')).toEqual([':::note\ntext\n:::']);
  });
});

describe('MyST', () => {
  test('notes are text, with their lines, and code stays code', async () => {
    const text =
      'Before.\n\n```{note} A *title*\n:class: wide\n\nFirst.\n\n- item\n```\n\n```{code-block} python\nx = 1\n```\n';
    expect(await texts(text)).toEqual(['Before. A title First.\nitem\nx = 1']);
    const [passage] = await passagesOf('a.md', '```{warning}\n\n\nHot.\n```');
    expect(passage).toMatchObject({ text: 'Hot.', position: 4 });
  });

  test('roles give their text', async () => {
    expect(await texts('See {ref}`the owls <owls>`, {math}`a^2` and {py:class}`Owl`.')).toEqual([
      'See the owls, a^2 and Owl.',
    ]);
  });
});

describe('other signs', () => {
  test('footnotes keep their text only', async () => {
    const text =
      'Owls[^1] hoot^[softly].\n\n[^1]: At night.\n[^long-name]: Strix.\n\n[^x]: Alone\n';
    expect(await texts(text)).toEqual(['Owls hoot (softly). At night. Strix. Alone']);
  });

  test('links of wikis give what they show', async () => {
    const text =
      'See [[Owls|the owls]], [[Mice]], [[Mice#Food]] and ![[owl.png]]. [a][b] [1][2]\n\n[[toc]]\n\n[TOC]';
    expect(await texts(text)).toEqual(['See the owls, Mice, Mice#Food and . [a][b] [1][2]']);
  });

  test('alerts of GitHub and Obsidian are quotations', async () => {
    const text = '> [!NOTE]\n> Be still.\n\n> [!tip]- Folded\n> More.\n\n[!] no alert';
    expect(await texts(text)).toEqual(['Be still. Folded More. [!] no alert']);
  });

  test('formulas keep their signs, and prices stay prices', async () => {
    const text = 'Let $a*b$ and $c*d$ and $x_1 < y$, then $$\n\\frac{a}{b}\n$$ or $\\{z\\}$.';
    expect(await texts(text)).toEqual([
      'Let a*b and c*d and x_1 < y, then \\frac{a}{b} or \\{z\\}.',
    ]);
    const prices = 'It costs $5 and *then* $10, or $HOME/$USER.';
    expect(await texts(prices)).toEqual(['It costs $5 and then $10, or $HOME/$USER.']);
  });

  test('comments and tags of templates are no text', async () => {
    const text =
      'a<!-- no -->b\n\n<!-- no\n\nno -->\n\n{% raw %}c{% endraw %} {{< note >}}d{{< /note >}} `{% e %}`\n\n<<< @/snippets/owl.js{2}\n';
    expect(await texts(text)).toEqual(['ab c d {% e %}']);
  });
});

describe('front matter', () => {
  test('a title that the first heading repeats is there once', async () => {
    expect(await texts('---\ntitle: "Owls & mice"\n---\n\n# Owls &amp; Mice\nHoot.')).toEqual([
      'Owls & Mice: Hoot.',
    ]);
  });

  test('another title is not lost', async () => {
    expect(await texts('---\ntitle: Birds\n---\n\n# Owls\nHoot.')).toEqual([
      'Birds',
      'Owls: Hoot.',
    ]);
    expect(await texts('---\ntitle: Birds\n---\n\nHoot.\n\n# Owls\nMice.')).toEqual([
      'Birds: Hoot.',
      'Owls: Mice.',
    ]);
  });

  test('may be YAML of several lines, TOML or JSON', async () => {
    const yaml =
      "---\ntitle: 'It''s \"so\"' # no\ndescription: >-\n  A long\n  text.\ntags:\n  - a\n---\nBody.";
    expect(await texts(yaml)).toEqual(['It\'s "so": A long text. Body.']);
    const toml = '+++\ntitle = """Owls"""\n[extra]\nx = 1\n+++\nBody.';
    expect(await texts(toml)).toEqual(['Owls: Body.']);
    const json = '{\n  "title": "Owls",\n  "description": "Birds."\n}\n';
    expect(await texts(`${json}\nBody.`)).toEqual(['Owls: Birds. Body.']);
    expect(await texts(`---json\n${json}---\nBody.`)).toEqual(['Owls: Birds. Body.']);
    expect(await texts('{\n not json\n}\n\nBody.')).toEqual(['{ not json } Body.']);
  });
});
