// Queries as lines, answers as lines: `ambry search INDEX - --jsonl`.

import { answerLines } from '../shared/line-answers.ts';
import { idField, objectOfLine, textField } from '../shared/line-input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { type Found, foundAsJson } from './search-output.ts';

interface AskedLine {
  readonly id?: string | number;
  readonly query: string;
}

/** A line is a query, or a JSON object with one. */
function askedIn(line: string, number: number): AskedLine {
  if (!line.startsWith('{')) return { query: line };
  const object = objectOfLine(number, line);
  const id = idField(object, number);
  return { ...(id !== undefined && { id }), query: textField(object, 'query', number) };
}

/** Answers every line of standard input by `ask`. Gives the exit code. */
export function searchLines(
  skipBad: boolean,
  terminal: Terminal,
  ask: (query: string) => Promise<readonly Found[]>,
): Promise<number> {
  return answerLines({ file: '-', skipBad }, terminal, {
    read: askedIn,
    answer: async (asked) => {
      const answers: unknown[] = [];
      for (const one of asked) {
        answers.push({ ...one, hits: (await ask(one.query)).map(foundAsJson) });
      }
      return answers;
    },
  });
}
