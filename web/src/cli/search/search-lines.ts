// Answers queries line by line: `ambry search INDEX - --jsonl`.
import { answerLines } from '../shared/answer-lines.ts';
import { idField, parseObject, textField } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { hitJson, type SearchResult } from './search-output.ts';

interface QueryLine {
  readonly id?: string | number;
  readonly query: string;
}

/** A line is a query, or a JSON object with the field `query`. */
function parseQuery(line: string, number: number): QueryLine {
  if (!line.startsWith('{')) {
    return { query: line };
  }
  const object = parseObject(number, line);
  const id = idField(object, number);
  return { ...(id !== undefined && { id }), query: textField(object, 'query', number) };
}

/** Answers every line of standard input with `search`. Resolves to the exit code. */
export function searchLines(
  skipBad: boolean,
  terminal: Terminal,
  search: (query: string) => Promise<readonly SearchResult[]>,
): Promise<number> {
  return answerLines({ file: '-', skipBad }, terminal, {
    parse: parseQuery,
    answer: async (lines) => {
      const answers: unknown[] = [];
      for (const line of lines) {
        answers.push({ ...line, hits: (await search(line.query)).map(hitJson) });
      }
      return answers;
    },
  });
}
