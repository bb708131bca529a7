// The answers of models that write in channels (gpt-oss, in its format "harmony"): messages, each with a header that names its
// channel. `analysis` is the reasoning, and messages to a function are calls.
import { begunAt, type ReasoningPiece } from './reasoning-text.ts';

const start = '<|start|>';
const channel = '<|channel|>';
const body = '<|message|>';
/** What ends a message. */
const ends = ['<|end|>', '<|call|>', '<|return|>', start];

/** The special tokens that the text of an answer needs. */
export const channelMarks = [start, channel, '<|constrain|>', body, ...ends.slice(0, 3)];

type Part = 'reasoning' | 'text';

/** What reads an answer to this prompt; undefined if its template writes no channels. */
export function channelText(prompt: string): ChannelText | undefined {
  const last = prompt.lastIndexOf(start);
  if (last < 0 || !prompt.includes(body)) {
    return undefined;
  }
  const header = prompt.slice(last);
  return header.includes(body) && !header.endsWith(body) ? undefined : new ChannelText(header);
}

export class ChannelText {
  /** What is unclear so far. It begins with the header of a message, unless a message is open. */
  #held: string;
  #open: Part | undefined;
  /** Whether the answer is text as it is. */
  #isPlain = false;
  /** Which parts have begun. */
  readonly #begun = new Set<Part>();
  /** What stands between the last message of the part and the next. */
  #gap = '';

  /** `header`: what the prompt has begun. */
  constructor(header: string) {
    this.#held = '';
    if (header.endsWith(body)) {
      this.#begin(header);
    }
  }

  get isReasoning(): boolean {
    return this.#open === 'reasoning';
  }

  get isHolding(): boolean {
    return this.#held !== '';
  }

  add(piece: string): ReasoningPiece {
    this.#held += piece;
    const made = { reasoning: '', text: '' };
    while (this.#step(made)) {}
    return made;
  }

  /** What is left at the end of an answer. A header without a message is none of it. */
  rest(): ReasoningPiece {
    const made = { reasoning: '', text: '' };
    if (this.#open || this.#isPlain) {
      this.#put(made, this.#open ?? 'text', this.#held);
    }
    this.#held = '';
    return made;
  }

  /** Takes the next part of what is held. False if more must come first. */
  #step(made: { reasoning: string; text: string }): boolean {
    if (this.#isPlain) {
      made.text += this.#held;
      this.#held = '';
      return false;
    }
    return this.#open ? this.#readBody(made, this.#open) : this.#readHeader(made);
  }

  #readHeader(made: { reasoning: string; text: string }): boolean {
    const begins = [start, channel, ' to='];
    const isHeader = begins.some(
      (mark) => mark.startsWith(this.#held) || this.#held.startsWith(mark),
    );
    if (!isHeader && this.#begun.size === 0) {
      this.#isPlain = true;
      return this.#step(made);
    }
    const at = this.#held.indexOf(body);
    if (at < 0) {
      return false;
    }
    const call = this.#begin(this.#held.slice(0, at));
    this.#held = this.#held.slice(at + body.length);
    this.#put(made, 'text', call);
    return true;
  }

  /** Opens a message. Returns how the text begins that is a call. */
  #begin(header: string): string {
    const [, name = 'final'] = /<\|channel\|>\s*(\w+)/.exec(header) ?? [];
    const [, recipient] = /\bto=(?:functions\.)?([\w.-]+)/.exec(header) ?? [];
    this.#open = name === 'analysis' && recipient === undefined ? 'reasoning' : 'text';
    this.#gap = this.#begun.has(this.#open) ? '\n\n' : '';
    this.#begun.add(this.#open);
    return recipient === undefined ? '' : `${channel}commentary to=functions.${recipient}${body}`;
  }

  #readBody(made: { reasoning: string; text: string }, part: Part): boolean {
    const found = ends
      .map((mark) => ({ mark, at: this.#held.indexOf(mark) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    const end = found?.at ?? Math.min(...ends.map((mark) => begunAt(this.#held, mark)));
    this.#put(made, part, this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!found) {
      return false;
    }
    this.#held = this.#held.slice(found.mark === start ? 0 : found.mark.length);
    this.#open = undefined;
    return this.#held !== '';
  }

  #put(made: { reasoning: string; text: string }, part: Part, text: string): void {
    if (text === '') {
      return;
    }
    made[part] += this.#gap + text;
    this.#gap = '';
  }
}
