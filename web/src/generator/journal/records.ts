// The lines of a journal. Each is JSON: what a session began with, then what happened, in order.
import { AmbryError } from '../../base/errors.ts';
import { isObject } from '../../base/kinds.ts';
import { plainJson } from '../../base/plain-json.ts';
import { checkMessages } from '../base/check-messages.ts';
import type { ChatMessage, RestoreOptions, SendOptions } from '../base/types.ts';
import {
  type ConversationState,
  type DroppedRange,
  rewound,
  type Written,
  withAnswer,
} from './conversation.ts';

const version = 1;
/** More than a conversation of a million tokens. */
const maxBytes = 2 ** 26;

/** The first line. */
export interface Header {
  readonly settings: RestoreOptions;
  readonly messages: readonly ChatMessage[];
}

/** An answer that was asked for and has not ended. */
export interface Unfinished {
  readonly message: ChatMessage;
  /** With the seed. */
  readonly options: SendOptions;
  /** The tokens so far. */
  readonly ids: readonly number[];
}

export type JournalEvent =
  | { readonly send: Omit<Unfinished, 'ids'> }
  | { readonly ids: readonly number[] }
  | { readonly end: Written & { readonly dropped: DroppedRange } }
  /** The send failed, or was stopped before its first token. */
  | { readonly cancel: true }
  | { readonly rewind: number };

export interface JournaledSession extends ConversationState {
  readonly settings: RestoreOptions;
  readonly unfinished: (Unfinished & { readonly ids: number[] }) | null;
  /** Whether the last line has no end, because its writer was interrupted. */
  readonly isCut: boolean;
}

/** Ends a line whose writer was interrupted, and says so. */
export const cutMark = `\n${lineOf({ cut: true })}`;

const beginning = '{"ambry":"journal"';

export function headerLine(header: Header): string {
  return lineOf({ ambry: 'journal', version, ...header });
}

export function lineOf(record: object): string {
  return `${plainJson(record, 'options')}\n`;
}

/**
 * What the text of a journal says; undefined if it says nothing. A last line without its end is left out, because its
 * writer was interrupted. Throws at `journal`: `BadMagic` for a text that is no journal, `UnsupportedVersion`,
 * `LimitExceeded` for one above 64 MiB, and `BadValue` at the line that is damaged.
 */
export function readJournal(text: unknown): JournaledSession | undefined {
  if (typeof text !== 'string') {
    throw new AmbryError('BadValue', 'read() must give a text.', { path: 'journal' });
  }
  if (text.length > maxBytes) {
    const message = `It has ${text.length} characters, and at most ${maxBytes} are read.`;
    throw new AmbryError('LimitExceeded', message, { path: 'journal' });
  }
  const isCut = text !== '' && !text.endsWith('\n');
  const [first, ...events] = wholeLines(text);
  if (first === undefined) {
    if (isCut && !beginning.startsWith(text.slice(0, beginning.length))) {
      throw notAJournal();
    }
    return;
  }
  const { settings, messages } = readHeader(first.line);
  let session: JournaledSession = { settings, messages, turns: [], unfinished: null, isCut };
  for (const { line, i } of events) {
    const next = applied(session, parsed(line));
    if (next === undefined) {
      const place = { path: `journal[${i}]` };
      throw new AmbryError('BadValue', `Line ${i + 1} of the journal is damaged.`, place);
    }
    session = next;
  }
  return session;
}

/** The lines, without those whose writer was interrupted. */
function wholeLines(text: string) {
  const lines = text.split('\n').slice(0, -1);
  const mark = cutMark.trim();
  return lines
    .map((line, i) => ({ line, i }))
    .filter(({ line, i }) => line !== mark && lines[i + 1] !== mark);
}

function readHeader(line: string): Header {
  const header = parsed(line) as Partial<Header> & { ambry?: unknown; version?: unknown };
  if (!isObject(header) || header.ambry !== 'journal') {
    throw notAJournal();
  }
  if (header.version !== version) {
    const message = `Its version is ${String(header.version)}, and ${version} is supported.`;
    throw new AmbryError('UnsupportedVersion', message, { path: 'journal' });
  }
  if (!isObject(header.settings) || !Array.isArray(header.messages)) {
    const message = 'Line 1 of the journal is damaged.';
    throw new AmbryError('BadValue', message, { path: 'journal[0]' });
  }
  return { settings: header.settings, messages: checkMessages(header.messages) };
}

function notAJournal(): AmbryError {
  const message = 'This is not the journal of a session.';
  return new AmbryError('BadMagic', message, { path: 'journal' });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The session after an event; undefined for an event that cannot be. */
function applied(session: JournaledSession, event: unknown): JournaledSession | undefined {
  if (!isObject(event)) {
    return;
  }
  const { send, ids, end, cancel, rewind } = event as Record<string, unknown>;
  const { unfinished, messages } = session;
  if (isSend(send)) {
    const { message, options } = send;
    return { ...session, unfinished: { message, options, ids: [] } };
  }
  if (unfinished && isIds(ids)) {
    // A copy for each line would take quadratic time.
    for (const id of ids) {
      unfinished.ids.push(id);
    }
    return session;
  }
  if (unfinished && isEnd(end) && end.dropped.first + end.dropped.count <= messages.length) {
    const after = withAnswer(session, unfinished.message, end.dropped, end);
    return { ...session, ...after, unfinished: null };
  }
  if (cancel === true) {
    return { ...session, unfinished: null };
  }
  if (isCount(rewind) && rewind <= messages.length) {
    return { ...session, ...rewound(session, rewind), unfinished: null };
  }
  return;
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isIds = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every(isCount);

function isSend(value: unknown): value is Omit<Unfinished, 'ids'> {
  const { message, options } = (value ?? {}) as Partial<Unfinished>;
  return isObject(message) && isObject(options) && typeof message.role === 'string';
}

function isEnd(value: unknown): value is Written & { readonly dropped: DroppedRange } {
  const { text, tokens, dropped } = (value ?? {}) as Partial<Written & { dropped: DroppedRange }>;
  const isWhole = typeof text === 'string' && isCount(tokens);
  return isWhole && isCount(dropped?.first) && isCount(dropped.count);
}
