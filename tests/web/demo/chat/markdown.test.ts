// Answers as Markdown: what the worker makes of a text, and how long the page waits for it.
import { describe, expect, it, vi } from 'vitest';
import { type Block, maxUnits } from '../../../../web/demo/chat/markdown/document.ts';
import { withoutEntities } from '../../../../web/demo/chat/markdown/inline.ts';
import { parseMarkdown } from '../../../../web/demo/chat/markdown/parse.ts';
import { MarkdownReader, type MarkdownWorker } from '../../../../web/demo/chat/markdown/reader.ts';
import { headingOffset, safeAddress } from '../../../../web/demo/chat/markdown/render.ts';

describe('a Markdown text', () => {
  it('becomes blocks and inline marks', () => {
    expect(parseMarkdown('## A *b*\n\nc **d** `e`  \nf')).toEqual([
      { kind: 'heading', level: 2, inside: ['A ', { kind: 'em', inside: ['b'] }] },
      {
        kind: 'paragraph',
        inside: [
          'c ',
          { kind: 'strong', inside: ['d'] },
          ' ',
          { kind: 'code', text: 'e' },
          { kind: 'break' },
          'f',
        ],
      },
    ]);
  });

  it('has lists, tasks, quotes, code and tables', () => {
    const text =
      '3. a\n4. b\n\n- [x] c\n\n> d\n\n```js x\ne\n```\n\n|f|g|\n|-|:-:|\n|h|i|\n\n---\n';
    const paragraph = (inside: string): Block => ({ kind: 'paragraph', inside: [inside] });
    expect(parseMarkdown(text)).toEqual([
      {
        kind: 'list',
        start: 3,
        items: ['a', 'b'].map((item) => ({ checked: null, blocks: [paragraph(item)] })),
      },
      { kind: 'list', start: null, items: [{ checked: true, blocks: [paragraph('c')] }] },
      { kind: 'quote', blocks: [paragraph('d')] },
      { kind: 'code', text: 'e', language: 'js' },
      { kind: 'table', alignments: [null, 'center'], head: [['f'], ['g']], rows: [[['h'], ['i']]] },
      { kind: 'rule' },
    ]);
  });

  it('keeps raw HTML as text, and makes a link of a picture', () => {
    expect(parseMarkdown('a <b onclick="x()">b</b> ![c](http://d/e.png)')).toEqual([
      {
        kind: 'paragraph',
        inside: [
          'a ',
          '<b onclick="x()">',
          'b',
          '</b>',
          ' ',
          { kind: 'link', href: 'http://d/e.png', inside: ['c'] },
        ],
      },
    ]);
    expect(parseMarkdown('<script>alert(1)</script>')).toEqual([
      { kind: 'paragraph', inside: ['<script>alert(1)</script>'] },
    ]);
  });

  it('shows what is nested too deeply as it is written', () => {
    const depthOf = (block: Block | undefined): number =>
      block?.kind === 'quote' ? 1 + depthOf(block.blocks[0]) : 0;
    expect(depthOf(parseMarkdown(`${'>'.repeat(40)} a`)[0])).toBe(17);
  });

  it('of too many elements is refused', () => {
    expect(() => parseMarkdown('*a* '.repeat(15_000))).toThrow(RangeError);
  });
});

it('entities are read once', () => {
  expect(withoutEntities('&amp;lt; &#65;&#x42; &unknown; &#0; &#99999999;')).toBe(
    '&lt; AB &unknown; &#0; &#99999999;',
  );
});

it('only links of the web and of mail can be followed', () => {
  expect(safeAddress('https://a.b/c')).toBe('https://a.b/c');
  expect(safeAddress('mailto:a@b.c')).toBe('mailto:a@b.c');
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    'data:text/html,x',
    '/a',
    'file:///a',
    '',
  ]) {
    expect(safeAddress(href)).toBeNull();
  }
});

it('the highest heading of an answer is an <h3>', () => {
  const heading = (level: number): Block => ({ kind: 'heading', level, inside: [] });
  expect(headingOffset([heading(2), heading(3)])).toBe(1);
  expect(headingOffset([heading(5)])).toBe(0);
  expect(headingOffset([])).toBe(0);
});

/** A worker that answers with `replyTo`; undefined for no answer. */
function workerOf(replyTo: (text: string) => readonly Block[] | null | undefined) {
  const listeners: ((event: MessageEvent<unknown>) => void)[] = [];
  const send = (data: unknown) => {
    for (const listen of listeners.splice(0)) {
      listen({ data } as never);
    }
  };
  const worker = {
    addEventListener(type: string, listen: (event: MessageEvent<unknown>) => void) {
      if (type === 'message') {
        listeners.push(listen);
      }
    },
    postMessage({ text }: { text: string }) {
      const blocks = replyTo(text);
      if (blocks !== undefined) {
        queueMicrotask(() => send({ blocks }));
      }
    },
    terminate: vi.fn(),
  };
  queueMicrotask(() => send('ready'));
  return worker as typeof worker & MarkdownWorker;
}

describe('the reader', () => {
  it('ends a worker that takes too long, and starts another', async () => {
    const workers: ReturnType<typeof workerOf>[] = [];
    const reader = new MarkdownReader(() => {
      const worker = workerOf((text) => (text === 'slow' ? undefined : []));
      workers.push(worker);
      return worker;
    }, 20);
    const [slow, quick] = await Promise.all([reader.read('slow'), reader.read('quick')]);
    expect(slow).toBeNull();
    expect(quick).toEqual([]);
    expect(workers).toHaveLength(2);
    expect(workers[0]?.terminate).toHaveBeenCalledOnce();
    expect(workers[1]?.terminate).not.toHaveBeenCalled();
  });

  it('gives no long text to a worker', async () => {
    const make = vi.fn(() => workerOf(() => []));
    expect(await new MarkdownReader(make).read('a'.repeat(maxUnits + 1))).toBeNull();
    expect(make).not.toHaveBeenCalled();
  });

  it('shows texts as they are where there are no workers', async () => {
    const reader = new MarkdownReader(() => {
      throw new Error('no workers');
    });
    expect(await reader.read('a')).toBeNull();
  });
});
