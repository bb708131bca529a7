// Turns a log into sections. Its entries are lines. A line that is indented goes on with the entry before, such as those of a
// stack trace.
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { linesBlock } from '../sections/table-lines.ts';
import { linesIn } from '../text/lines.ts';
import { withoutColors } from '../text/terminal.ts';

/** So many lines are a block, which is cut between lines. */
const linesOfBlock = 256;

export function* logSections(source: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  let lines: { text: string; position: number }[] = [];
  let position = 0;
  for (const raw of linesIn(source)) {
    position++;
    const text = withoutColors(raw).trimEnd();
    const isFull = lines.length >= linesOfBlock && !/^\s/.test(text);
    if (text === '' || isFull) {
      sections.addBlock(linesBlock(lines));
      lines = [];
    }
    if (text !== '') {
      lines.push({ text, position });
    }
    if (sections.isFull) {
      yield sections.take();
    }
  }
  sections.addBlock(linesBlock(lines));
  yield sections.finish();
}
