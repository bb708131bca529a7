// What a saved session has beside its keys and values: its messages and options, as JSON.
import { AmbryError } from '../base/errors.ts';
import { checkMessages } from './base/check-messages.ts';
import type { ChatMessage, RestoreOptions } from './base/types.ts';
import type { SavedTurn } from './journal/conversation.ts';
import { optionsOfSession, type SessionSettings } from './session-options.ts';

interface Note {
  readonly settings: RestoreOptions;
  readonly messages: readonly ChatMessage[];
  readonly turns: readonly SavedTurn[];
}

export function writeNote(
  sessionSettings: SessionSettings,
  messages: readonly ChatMessage[],
  turns: readonly SavedTurn[],
): string {
  const settings = optionsOfSession(sessionSettings);
  try {
    return JSON.stringify({ settings, messages, turns } satisfies Note);
  } catch (cause) {
    const message = 'A session is saved as JSON, and a message or variable is none.';
    throw new AmbryError('BadValue', message, { path: 'messages', cause });
  }
}

/** Throws `BadValue` at `saved.note`. */
export function readNote(text: string): Note {
  try {
    const { settings, messages, turns } = JSON.parse(text) as Note;
    const isWhole = typeof settings === 'object' && settings !== null && turns.every(isTurn);
    if (isWhole) {
      return { settings, messages: checkMessages(messages), turns };
    }
  } catch (error) {
    throw badNote(error);
  }
  throw badNote();
}

function isTurn({ messages, tokens }: SavedTurn): boolean {
  return Number.isSafeInteger(messages) && Number.isSafeInteger(tokens);
}

function badNote(cause?: unknown): AmbryError {
  const message = 'These are keys and values, but not those of a session.';
  return new AmbryError('BadValue', message, { path: 'saved.note', cause });
}
