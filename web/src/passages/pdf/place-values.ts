// Puts the values of form fields and the remarks into the lines of their page.
import type { FieldValue } from './field-values.ts';
import type { LinePart, TextLine } from './text-lines.ts';

/** The largest font size of a value. Fields do not always tell theirs. */
const usualSize = 11;
/** A base line may lie so far below the box of a field on the same line, in points. */
const slack = 3;
/** A label above its field is at most so far from it, in font sizes of the label. */
const maxLabelGap = 1.5;
/** So many comparisons are quick. On a page with more, values stand after the text. */
const maxComparisons = 1e7;

/** A value stands on the line of its label. Else it is a line of its own, with the name of the field. */
export function withValues(lines: readonly TextLine[], values: readonly FieldValue[]): TextLine[] {
  const result: TextLine[] = [...lines];
  const canCompare = (lines.length + values.length) * values.length <= maxComparisons;
  for (const value of fromTop(values)) {
    const label = canCompare && !value.isRemark ? lineBeside(result, value) : -1;
    const line = result[label];
    if (line) {
      result[label] = withPart(line, value);
      continue;
    }
    const above = canCompare ? lineAbove(result, value) : result.length - 1;
    const isLabelled = value.name === '' || isLabel(result[above], value);
    const text = isLabelled ? value.text : `${value.name}: ${value.text}`;
    result.splice(above + 1, 0, [partOf(value, text)]);
  }
  return result;
}

function fromTop(values: readonly FieldValue[]): FieldValue[] {
  return [...values].sort((a, b) => b.top - a.top || a.left - b.left);
}

/** The line at the height of the field that has text nearest to it, or -1. */
function lineBeside(lines: readonly TextLine[], value: FieldValue): number {
  let nearest = -1;
  let least = Infinity;
  lines.forEach((line, i) => {
    for (const part of line) {
      const isLevel = part.y >= value.bottom - slack && part.y <= value.top;
      const distance = Math.max(value.left - part.end, part.begin - value.right);
      if (part.angle === 0 && isLevel && distance > -usualSize && distance < least) {
        nearest = i;
        least = distance;
      }
    }
  });
  return nearest;
}

/** The lowest line above the field with text over it. Without one, the last line that is higher on the page. */
function lineAbove(lines: readonly TextLine[], value: FieldValue): number {
  let nearest = -1;
  let least = Infinity;
  let higher = -1;
  lines.forEach((line, i) => {
    for (const part of line) {
      const distance = part.y - value.top;
      if (part.angle !== 0 || distance < -slack) {
        continue;
      }
      higher = i;
      if (part.begin < value.right && part.end > value.left && distance < least) {
        nearest = i;
        least = distance;
      }
    }
  });
  return nearest < 0 ? higher : nearest;
}

function isLabel(line: TextLine | undefined, { top, left, right }: FieldValue): boolean {
  return (line ?? []).some(
    ({ y, size, begin, end }) =>
      begin < right && end > left && y >= top - slack && y - top <= maxLabelGap * size,
  );
}

function withPart(line: TextLine, value: FieldValue): TextLine {
  const at = line.findIndex(({ begin }) => begin >= value.right - usualSize / 2);
  const part = { ...partOf(value, value.text), y: line[0]?.y ?? value.bottom };
  return line.toSpliced(at < 0 ? line.length : at, 0, part);
}

function partOf({ left, right, bottom, top }: FieldValue, text: string): LinePart {
  const size = Math.min(usualSize, top - bottom || usualSize);
  const y = top - size;
  return { text, begin: left, end: right, y, size, angle: 0, isRightToLeft: false };
}
