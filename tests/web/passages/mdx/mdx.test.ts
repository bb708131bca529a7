import { describe, expect, test } from 'vitest';
import { markdownOf } from '../../../../web/src/passages/mdx/mdx.ts';
import { passagesOf, read } from '../reading.ts';

const texts = async (mdx: string) => (await passagesOf('a.mdx', mdx)).map(({ text }) => text);

describe('MDX', () => {
  test('has no imports and exports', async () => {
    const text =
      '---\ntitle: Owls\n---\nimport Tabs from "@x/tabs";\nimport {\n  A,\n} from "a";\n\nexport const data = {\n  a: "}",\n\n  b: [1],\n};\n\n# Owls\n\nimport the owls, export the mice.\n';
    expect(await passagesOf('a.mdx', text)).toMatchObject([
      { text: 'Owls: import the owls, export the mice.', position: 17 },
    ]);
  });

  test('has no tags and expressions, but the text in elements, and titles', async () => {
    const text =
      'An <Badge kind="x">owl</Badge> and {props.y}{/* no */} and {"text"} <Tip text={f("}")} />.\n\n<Tabs values={[{ label: "no" }]}>\n  <TabItem value="a" label="With npm">\n\n    Run **it**.\n\n    - item\n\n  </TabItem>\n</Tabs>\n\n<Card title={\'A card\'} onClick={() => { go(">"); }} />\n<>Fragment</>';
    expect(await texts(text)).toEqual([
      'An owl and and text . With npm Run it.\nitem A card Fragment',
    ]);
  });

  test('keeps code as it is', async () => {
    const text =
      'Use `<Tag a={1}>` here.\n\n```jsx\nimport a from "a";\n<Tag a={1} />\n```\n\n<Tip>\n  ```js\n  const a = {};\n  ```\n</Tip>';
    expect(await texts(text)).toEqual([
      'Use <Tag a={1}> here.\nimport a from "a";\n<Tag a={1} />\nconst a = {};',
    ]);
  });

  test('loses no text that only looks like JSX', async () => {
    expect(await texts('a < b and c > d, \\{x\\}, <https://x.org> and { open')).toEqual([
      'a < b and c > d, {x}, https://x.org and { open',
    ]);
    expect(await texts("It's {a, don't\n\n# Owls\n\nMice } here")).toHaveLength(2);
  });

  test('styles and comments are left out', async () => {
    expect(await texts('<style>{`p { color: red }`}</style>\n\nText.<!-- no -->')).toEqual([
      'Text.',
    ]);
  });

  test('lines stay where they are', () => {
    const text =
      'import a\n  from "a";\n\n{/* a\nb */}\n<A\n  b={{\n    c: 1,\n  }}\n>\n\ntext\n</A>\n\n`a\nb`\n';
    expect(markdownOf(text).split('\n')).toHaveLength(text.split('\n').length);
    expect(markdownOf(text).split('\n')[11]).toBe('text');
  });

  test('with brackets without an end is read', async () => {
    for (const unit of ['{', '<a ', '<a b={', 'export {\n\n', '`', '{/*', '<a b="', '<!--']) {
      await read('a.mdx', unit.repeat(50_000 / unit.length));
    }
  });
});
