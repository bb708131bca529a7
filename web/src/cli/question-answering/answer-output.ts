// Answers as `ambry answer` prints them.
import type { ExtractedAnswer, IndexAnswer } from '../../entries/types.ts';
import { shortFloat } from '../shared/format.ts';

type Printed = ExtractedAnswer | IndexAnswer;

/** On one line: white space between words is a space. */
export function answerLine(answer: Printed): string {
  const { text, start, end, score } = answer;
  const place = 'id' in answer ? String(answer.id) : `${start}\t${end}`;
  return `${score.toFixed(4)}\t${place}\t${text.replace(/\s+/g, ' ')}`;
}

export function answerJson(answer: Printed): Readonly<Record<string, unknown>> {
  const { text, start, end, score } = answer;
  const found = { text, start, end, score: shortFloat(score) };
  if (!('id' in answer)) {
    return found;
  }
  const { id, passage, retrievalScore, doc } = answer;
  const { source, page } = doc;
  return {
    ...found,
    id,
    passage,
    ...(source !== undefined && { source }),
    ...(page !== undefined && { page }),
    retrievalScore,
  };
}
