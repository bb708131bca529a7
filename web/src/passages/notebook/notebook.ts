// Turns a Jupyter notebook into sections: the text of its cells, their code, and what the code printed. Pictures are left out.
import { AmbryError } from '../../base/errors.ts';
import { addHtml } from '../html/html.ts';
import { addMarkdown } from '../markdown/markdown.ts';
import { jsonValue } from '../records/json-rows.ts';
import { isObject } from '../records/records.ts';
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import type { DecodedText } from '../text/decoding.ts';
import { withoutColors } from '../text/terminal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What stands for a picture or a table, such as `<Figure size 640x480 with 1 Axes>`. */
const standIn = /^<[\w.]+[^<>]*>$/;

export function* notebookSections(
  path: string,
  document: DecodedText,
): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const cells = cellsOf(path, jsonValue(path, document));
  for (const [i, cell] of cells.entries()) {
    sections.position = i + 1;
    addCell(cell, sections);
    if (sections.isFull) {
      yield sections.take();
    }
  }
  yield sections.finish();
}

/** Notebooks before version 4 have their cells in worksheets. */
function cellsOf(path: string, notebook: unknown): Fields[] {
  const { cells, worksheets } = isObject(notebook) ? (notebook as Fields) : ({} as Fields);
  const lists = Array.isArray(cells)
    ? [cells]
    : objectsIn(worksheets).map((sheet) => sheet['cells']);
  if (!Array.isArray(cells) && !Array.isArray(worksheets)) {
    const message = `${path} is not a notebook of Jupyter: it has no list of cells. To read it as data, give it the type .json.`;
    throw new AmbryError('BadValue', message, { path: 'cells' });
  }
  return lists.flatMap(objectsIn);
}

function addCell(cell: Fields, sections: SectionBuilder): void {
  const source = textOf(cell['source'] ?? cell['input']);
  switch (cell['cell_type']) {
    case 'markdown':
      addMarkdown(source, sections);
      break;
    case 'heading':
      sections.addHeading(levelOf(cell['level']), { text: source, position: 1, kind: 'prose' });
      break;
    case 'code':
      addLines(source, sections);
      for (const output of objectsIn(cell['outputs'])) {
        addOutput(output, sections);
      }
      break;
    default:
      addLines(source, sections);
  }
}

/** A notebook has each output in several forms. The first of these that has text is read. */
function addOutput(output: Fields, sections: SectionBuilder): void {
  if (output['output_type'] === 'error') {
    addLines(`${textOf(output['ename'])}: ${textOf(output['evalue'])}`, sections);
    return;
  }
  const data = isObject(output['data']) ? (output['data'] as Fields) : output;
  const [markdown, plain, html] = ['text/markdown', 'text/plain', 'text/html'].map((type) =>
    textOf(data[type]),
  );
  const text = plain || textOf(output['text']);
  if (markdown) {
    addMarkdown(markdown, sections);
  } else if (text !== '' && !standIn.test(text.trim())) {
    addLines(text, sections);
  } else if (html) {
    addHtml(html, 1, sections);
  }
}

function addLines(source: string, sections: SectionBuilder): void {
  sections.addBlock({ text: withoutColors(source).trimEnd(), position: 1, kind: 'lines' });
}

/** A text may be a list of its lines. */
function textOf(value: unknown): string {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts.filter((part) => typeof part === 'string').join('');
}

function levelOf(value: unknown): number {
  return typeof value === 'number' && value >= 1 && value <= 6 ? Math.floor(value) : 1;
}

function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? (value.filter(isObject) as Fields[]) : [];
}
