// Turns the rows of a table into lines of text that make sense one by one.
import type { Block, PositionMarks } from './section.ts';

/** `Name: Ada; Born: 1815` */
export function rowText(names: readonly string[], cells: readonly string[]): string {
  const hasNames = names.length === cells.length;
  return cells
    .map((cell, i) => (hasNames && cell !== '' && names[i] ? `${names[i]}: ${cell}` : cell))
    .filter((cell) => cell !== '')
    .join('; ');
}

export function linesBlock(lines: readonly { text: string; position: number }[]): Block {
  const marks: PositionMarks = { ats: [], positions: [] };
  let text = '';
  for (const line of lines) {
    if (line.text === '') {
      continue;
    }
    if (text !== '') {
      text += '\n';
    }
    marks.ats.push(text.length);
    marks.positions.push(line.position);
    text += line.text;
  }
  return { text, position: marks.positions[0] ?? 1, kind: 'lines', marks };
}
