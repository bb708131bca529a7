// Rows of a table as lines of text that can be understood one by one.
import type { Block, Mark } from './blocks.ts';

/** `Name: Ada; Born: 1815` */
export function lineWith(names: readonly string[], cells: readonly string[]): string {
  const isNamed = names.length === cells.length;
  return cells
    .map((cell, i) => (isNamed && cell !== '' && names[i] ? `${names[i]}: ${cell}` : cell))
    .filter((cell) => cell !== '')
    .join('; ');
}

export function linesBlock(lines: readonly { text: string; position: number }[]): Block {
  const marks: Mark[] = [];
  let text = '';
  for (const line of lines) {
    if (line.text === '') continue;
    if (text !== '') text += '\n';
    marks.push({ at: text.length, position: line.position });
    text += line.text;
  }
  return { text, position: marks[0]?.position ?? 1, kind: 'lines', marks };
}
