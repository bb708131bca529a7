// Plain text to paragraphs.
import { RunningText, type Section } from '../sections/blocks.ts';

/** Paragraphs are parted by blank lines; their own line breaks become spaces. */
export function plainSections(text: string): Section[] {
  const blocks = [];
  const paragraph = new RunningText();
  let line = 0;
  for (const raw of text.split(/\r\n|[\r\n]/)) {
    line++;
    if (raw.trim() !== '') {
      paragraph.append(raw, line);
      paragraph.space();
    } else if (!paragraph.isEmpty) blocks.push(paragraph.take('prose'));
  }
  if (!paragraph.isEmpty) blocks.push(paragraph.take('prose'));
  return blocks.length === 0 ? [] : [{ heading: '', blocks }];
}
