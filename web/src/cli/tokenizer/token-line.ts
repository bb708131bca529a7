// Reads a line of `tokenize --jsonl`.
import { badLine, idField, isObject, parseJson, textField } from '../shared/read-lines.ts';

export interface TextOrPair {
  readonly text: string;
  readonly pair?: string;
}

interface TokenLine extends TextOrPair {
  readonly id: string | number;
}

/** A text, a list of a text and its pair, or an object with the fields `text`, `pair` and `id`. */
export function parseTokenLine(line: string, number: number): TokenLine {
  const value = parseJson(number, line);
  if (typeof value === 'string') {
    return { id: number, text: value };
  }
  if (Array.isArray(value)) {
    const [text, pair, ...more] = value as unknown[];
    if (typeof text === 'string' && typeof pair === 'string' && more.length === 0) {
      return { id: number, text, pair };
    }
    throw badLine(number, 'has a list that is not two strings, a text and its pair');
  }
  if (!isObject(value)) {
    throw badLine(number, 'is neither a string, nor a list of two strings, nor a JSON object');
  }
  const id = idField(value, number) ?? number;
  const text = textField(value, 'text', number);
  return {
    id,
    text,
    ...(value['pair'] !== undefined && { pair: textField(value, 'pair', number) }),
  };
}
