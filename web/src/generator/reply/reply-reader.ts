// Reads what a model writes as a reply: its reasoning, its text and its calls of tools, token by token.
import type { WireGeneration, WireToken } from '../base/protocol.ts';
import type { ToolCall } from '../base/types.ts';
import { type ChannelText, channelMarks, channelText } from './channel-text.ts';
import { openMarks, ReasoningText, reasoningMarks } from './reasoning-text.ts';
import type { ToolText } from './tool-text.ts';

interface Parts {
  /** What the chat template wrote, whose end may have begun the reasoning. Absent if the answer has none. */
  readonly prompt: string | undefined;
  /** Absent if the answer calls no tools. */
  readonly tools: ToolText | undefined;
}

/** The end of an answer. */
export interface ReadReply {
  /** The last token with what was held back until now, if something was. */
  readonly tokens: readonly WireToken[];
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
}

/** The special tokens that an answer to this prompt shows in its text. */
export function shownMarks(prompt: string | undefined): readonly string[] {
  if (prompt === undefined) {
    return [];
  }
  return channelText(prompt) ? channelMarks : reasoningMarks;
}

export class ReplyReader {
  readonly #reasoning: ReasoningText | ChannelText | undefined;
  readonly #tools: ToolText | undefined;
  /** The latest token, which waits while something is held back, so that it can be given to the caller with it. */
  #waiting: WireToken | undefined;
  /** Characters that were read. */
  #read = 0;
  #text = '';
  #thought = '';

  constructor({ prompt, tools }: Parts) {
    this.#reasoning =
      prompt === undefined
        ? undefined
        : (channelText(prompt) ?? new ReasoningText(openMarks(prompt)));
    this.#tools = tools;
  }

  /** The tokens that may be shown now, with the part of the reply that each adds. */
  add(token: WireToken): readonly WireToken[] {
    this.#read += token.text.length;
    const read = { ...token, ...this.#piece(token.text) };
    const before = this.#waiting ? [this.#waiting] : [];
    const isHolding = this.#reasoning?.isHolding || this.#tools?.isHolding;
    this.#waiting = isHolding ? read : undefined;
    return isHolding ? before : [...before, read];
  }

  /** The whole reply. A caller that left the loop has not seen its last tokens. */
  end({ text, parsed }: WireGeneration): ReadReply {
    const last = this.#piece(text.slice(this.#read));
    const rest = this.#reasoning?.rest() ?? { reasoning: '', text: '' };
    const shown = this.#tools?.add(rest.text) ?? rest.text;
    const { text: held, calls } = this.#tools?.end(parsed) ?? { text: '', calls: [] };
    this.#text += shown + held;
    this.#thought += rest.reasoning;
    return {
      tokens: this.#lastToken(last.text + shown + held, (last.reasoning ?? '') + rest.reasoning),
      text: this.#text,
      reasoning: this.#thought,
      toolCalls: calls,
    };
  }

  #piece(written: string): { text: string; reasoning?: string } {
    const was = this.#reasoning?.isReasoning;
    const piece = this.#reasoning?.add(written) ?? { reasoning: '', text: written };
    const isReasoning = was || this.#reasoning?.isReasoning || piece.reasoning !== '';
    const text = this.#tools?.add(piece.text) ?? piece.text;
    this.#text += text;
    this.#thought += piece.reasoning;
    return { text, ...(isReasoning && { reasoning: piece.reasoning }) };
  }

  #lastToken(text: string, reasoning: string): readonly WireToken[] {
    if (!this.#waiting) {
      return [];
    }
    const before = this.#waiting;
    const thought = (before.reasoning ?? '') + reasoning;
    const isReasoning = before.reasoning !== undefined || reasoning !== '';
    return [{ ...before, text: before.text + text, ...(isReasoning && { reasoning: thought }) }];
  }
}
