// Titles for what can go wrong with an answer, and the button that may solve it.

import { AmbryError } from 'ambry';
import type { Failure } from '../../shared/jobs/jobs.ts';
import type { ChatState } from '../state/state.ts';

/** What a button below a failure can do. */
export interface Remedies {
  dropOldest(): void;
  withoutSystem(): void;
  asText(): void;
}

/** Whether leaving out the oldest turns may make room. */
export const canDropTurns = ({ mode, trim, turns }: ChatState): boolean =>
  mode === 'chat' && trim === 'error' && turns.filter(({ from }) => from === 'user').length > 1;

/** The message about the form, for its field. Null for other errors. */
export function formProblemOf(error: unknown): string | null {
  const field = 'options.format';
  if (!(error instanceof AmbryError) || !error.path?.startsWith(field)) {
    return null;
  }
  const place = error.path.slice(field.length + 1);
  const at = error.byteOffset === undefined ? '' : `, byte ${error.byteOffset}`;
  const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
  return `${message} (${error.code}${place === '' ? '' : ` at ${place}`}${at}).`;
}

function remedyOf(error: AmbryError, state: ChatState, remedies: Remedies): Partial<Failure> {
  if (error.code === 'LimitExceeded' && error.path === 'prompt') {
    return canDropTurns(state)
      ? { remedy: { label: 'Leave out the oldest turns', act: () => remedies.dropOldest() } }
      : {};
  }
  if (error.path === 'chatTemplate' && error.code === 'NotFound') {
    return { remedy: { label: 'Continue a text instead', act: () => remedies.asText() } };
  }
  if (error.path === 'chatTemplate' && state.system.trim() !== '') {
    return {
      remedy: { label: 'Send without the system prompt', act: () => remedies.withoutSystem() },
    };
  }
  return {};
}

function titleOf({ code, path }: AmbryError): string {
  if (path === 'prompt' && code === 'LimitExceeded') {
    return 'The context has no room for this';
  }
  if (path === 'chatTemplate') {
    return code === 'NotFound'
      ? 'This model has no chat template'
      : 'The chat template of the model failed';
  }
  if (path?.startsWith('options.resumeIds')) {
    return 'The answer of the last visit cannot go on';
  }
  return path?.startsWith('options.format')
    ? 'The form of the answer was refused'
    : 'The model could not write the text';
}

export function failureOf(error: unknown, state: ChatState, remedies: Remedies): Failure {
  if (!(error instanceof AmbryError)) {
    return { title: 'The model could not write the text', error };
  }
  return { title: titleOf(error), error, ...remedyOf(error, state, remedies) };
}
