// Shows an error: its message and, for a damaged file, the code, byte and field.

import { AmbryError } from 'ambry';
import { button, element, fillFacts } from './dom.ts';
import { formatCount } from './format.ts';
import type { Failure } from './jobs.ts';

function factsOf(error: unknown): (readonly [string, string])[] {
  if (!(error instanceof AmbryError)) {
    return [];
  }
  const facts: (readonly [string, string])[] = [['Code', error.code]];
  if (error.byteOffset !== undefined) {
    facts.push(['Byte', formatCount(error.byteOffset)]);
  }
  if (error.path !== undefined && error.path !== '') {
    facts.push(['Field', error.path]);
  }
  return facts;
}

/** The error's message as a sentence. A name from the file at its beginning keeps its case. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  const sentence = text.replace(
    /^[a-z]+(?=[ ,])/,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Shows the failure in the alert region, or empties the region. */
export function renderFailure(
  region: HTMLElement,
  failure: Failure | null,
  dismiss: () => void,
): void {
  if (failure === null) {
    region.replaceChildren();
    return;
  }
  const facts = factsOf(failure.error);
  const box = element(
    'div',
    'problem',
    element('h2', '', failure.title),
    button('Dismiss', 'quiet', dismiss),
    element('p', '', messageOf(failure.error)),
  );
  if (facts.length > 0) {
    const list = element('dl', 'facts');
    fillFacts(list, facts);
    box.append(list);
  }
  if (failure.remedy !== undefined) {
    box.append(button(failure.remedy.label, '', failure.remedy.act));
  }
  region.replaceChildren(box);
}
