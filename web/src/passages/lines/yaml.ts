// Turns YAML into sections, line by line: what stands under a key of the first level is a section with that key as its heading.
// Values and comments stay as they are written.
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { linesBlock } from '../sections/table-lines.ts';
import { linesIn } from '../text/lines.ts';

/** A key that has no value on its line. */
const openKey =
  /^(?:"([^"]+)"|'([^']+)'|([^\s#'"[\]{},&*!|>%@`-][^#:]*?))\s*:\s*(?:[&!]\S+\s*)*(?:[|>][+\d-]*)?\s*(?:#.*)?$/;
const marker = /^(?:---|\.\.\.)(?:\s|$)|^%[A-Z]/;
const linesOfBlock = 256;

export function* yamlSections(source: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  let lines: { text: string; position: number }[] = [];
  let position = 0;
  let hasHeading = false;
  const give = () => {
    sections.addBlock(linesBlock(lines));
    lines = [];
  };
  for (const raw of linesIn(source)) {
    position++;
    const text = raw.trimEnd();
    const isTop = text !== '' && !/^(?:[\s#]|-(?:\s|$))/.test(text);
    const [, double, single, bare] = (isTop && openKey.exec(text)) || [];
    const key = double ?? single ?? bare;
    if (lines.length >= linesOfBlock || key !== undefined || text === '' || marker.test(text)) {
      give();
    }
    if (key !== undefined) {
      sections.addHeading(1, { text: key, position, kind: 'prose' });
      hasHeading = true;
    } else if (text !== '' && !marker.test(text)) {
      if (isTop && hasHeading) {
        give();
        sections.endHeading();
        hasHeading = false;
      }
      lines.push({ text, position });
    }
    if (sections.isFull) {
      yield sections.take();
    }
  }
  give();
  yield sections.finish();
}
