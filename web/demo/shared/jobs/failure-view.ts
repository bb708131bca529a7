// Shows an error: what it means and what to do, and below that, folded, the exact message with its code, byte and field.
// Pages load this with the first error.

import { AmbryError } from 'ambry';
import { formatCount } from '../base/format.ts';
import { button, element, fillFacts } from '../dom/dom.ts';
import { messageOf } from '../failures/message.ts';
import { plainOf } from '../failures/plain.ts';
import type { Failure } from './jobs.ts';

/** A longer message is shown in the details, and its first sentence before. */
const longMessage = 280;

type Fact = readonly [term: string, text: string];

function factsOf(error: unknown): Fact[] {
  if (!(error instanceof AmbryError)) {
    return [];
  }
  const facts: Fact[] = [['Code', error.code]];
  if (error.byteOffset !== undefined) {
    facts.push(['Byte', formatCount(error.byteOffset)]);
  }
  if (error.path !== undefined && error.path !== '') {
    facts.push(['Field', error.path]);
  }
  return facts;
}

const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

interface Texts {
  readonly title: string;
  readonly line: string;
  /** Empty if the line has it. */
  readonly rest: string;
}

/** The useful part comes first: what the matter is, and then what did not happen because of it. */
function textsOf({ title, error, plain = plainOf(error) ?? undefined }: Failure): Texts {
  const message = messageOf(error);
  if (plain !== undefined) {
    const line = `${title}. ${plain.advice}`.trim();
    return { title: plain.sentence, line, rest: message };
  }
  return message.length > longMessage
    ? { title, line: firstSentence(message), rest: message }
    : { title, line: message, rest: '' };
}

function detailsOf(facts: readonly Fact[], rest: string): HTMLElement {
  const list = element('dl', 'facts');
  fillFacts(list, rest === '' ? facts : [...facts, ['Message', rest]]);
  return element('details', 'fold', element('summary', '', 'Details'), list);
}

/** The box with everything about the failure. */
export function failureBox(failure: Failure, dismiss: () => void): HTMLElement {
  const { title, line, rest } = textsOf(failure);
  const box = element(
    'div',
    'problem',
    element('h2', '', title),
    button('Dismiss', 'quiet', dismiss),
    element('p', '', line),
  );
  if (failure.remedy !== undefined) {
    box.append(button(failure.remedy.label, 'remedy', failure.remedy.act));
  }
  const facts = factsOf(failure.error);
  if (facts.length > 0 || rest !== '') {
    box.append(detailsOf(facts, rest));
  }
  return box;
}
