// HTML to sections: title, headings, paragraphs, lists, tables. Nothing in it is run or fetched.
import { parse, parseFragment, defaultTreeAdapter as tree } from 'parse5';
import { Outline, RunningText, type Section } from '../sections/blocks.ts';
import { isDataTable, tableBlock } from './html-table.ts';
import { type Element, kPassedOver, type Node, textIn } from './html-text.ts';

const kBlocks = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const kVerbatim = new Set(['pre', 'listing', 'xmp', 'textarea']);
const kDeclared =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i;
const kDeclaredWithin = 1024;

/** The encoding that the page says it is in. What can be read so is not UTF-16, whatever it says. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, kDeclaredWithin));
  const found = kDeclared.exec(head);
  const name = found?.[1] ?? found?.[2];
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

export function htmlSections(text: string): Section[] {
  const outline = new Outline();
  const page = parse(text, { scriptingEnabled: false, sourceCodeLocationInfo: true });
  new Reader(outline, 1).read(page);
  return outline.end();
}

/** A piece of HTML that begins at `line` of the document, added to what is there. */
export function addHtml(text: string, line: number, outline: Outline): void {
  const piece = parseFragment(text, { scriptingEnabled: false, sourceCodeLocationInfo: true });
  new Reader(outline, line).read(piece);
}

/** `&amp;` and the like. */
export function decodeEntities(text: string): string {
  return textIn(parseFragment(text.replaceAll('<', '&lt;')));
}

/** Walks a tree of any depth without calling itself. */
class Reader {
  readonly #outline: Outline;
  readonly #firstLine: number;
  readonly #text = new RunningText();
  #kind: 'prose' | 'item' = 'prose';

  constructor(outline: Outline, firstLine: number) {
    this.#outline = outline;
    this.#firstLine = firstLine;
  }

  read(root: Node): void {
    const waiting: (Node | (() => void))[] = [root];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (typeof next === 'function') {
        next();
        continue;
      }
      const end = this.#enter(next);
      if (end === 'passed') continue;
      if (end) waiting.push(end);
      if ('childNodes' in next) {
        for (const child of next.childNodes.toReversed()) waiting.push(child);
      }
    }
    this.#flush();
  }

  /** What to do after the children, or that there is no need to look at them. */
  #enter(node: Node): (() => void) | 'passed' | undefined {
    if (tree.isTextNode(node)) {
      this.#text.append(node.value, this.#lineOf(node));
      return 'passed';
    }
    if (!tree.isElementNode(node)) return undefined;
    const { tagName } = node;
    if (kPassedOver.has(tagName)) return 'passed';
    if (tagName === 'title') {
      this.#outline.title(textIn(node).replace(/\s+/g, ' ').trim());
      return 'passed';
    }
    if (tagName === 'br') this.#text.space();
    if (tagName === 'img') this.#text.append(` ${attribute(node, 'alt')} `, this.#lineOf(node));
    return kBlocks.has(tagName) || kVerbatim.has(tagName) ? this.#enterBlock(node) : undefined;
  }

  #enterBlock(node: Element): (() => void) | 'passed' {
    this.#flush();
    const { tagName } = node;
    const position = this.#lineOf(node);
    if (kVerbatim.has(tagName)) {
      this.#outline.add({ text: textIn(node).replace(/^\n|\s+$/g, ''), position, kind: 'lines' });
      return 'passed';
    }
    if (tagName === 'table' && isDataTable(node)) {
      this.#outline.add(tableBlock(node, (row) => this.#lineOf(row)));
      return 'passed';
    }
    const level = /^h([1-6])$/.exec(tagName)?.[1];
    if (level !== undefined) {
      return () => this.#outline.heading(Number(level), this.#text.take('prose'));
    }
    const outer = this.#kind;
    if (tagName === 'li') this.#beginItem(node);
    return () => {
      this.#flush();
      this.#kind = outer;
    };
  }

  #beginItem(item: Element): void {
    this.#kind = 'item';
    const list = item.parentNode;
    if (!list || !tree.isElementNode(list) || list.tagName !== 'ol') return;
    const items = list.childNodes.filter((child) => tree.isElementNode(child));
    const first = Number(attribute(list, 'start') || 1);
    this.#text.append(`${first + items.indexOf(item)}. `, this.#lineOf(item));
  }

  #flush(): void {
    if (!this.#text.isEmpty) this.#outline.add(this.#text.take(this.#kind));
  }

  #lineOf(node: Node): number {
    return this.#firstLine - 1 + (node.sourceCodeLocation?.startLine ?? 1);
  }
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? '';
}
