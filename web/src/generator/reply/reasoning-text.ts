// What a reasoning model writes before its answer, apart from the answer. Models put it between two marks.

interface Marks {
  readonly begin: string;
  readonly end: string;
}

const allMarks: readonly Marks[] = [
  { begin: '<think>', end: '</think>' },
  { begin: '[THINK]', end: '[/THINK]' },
  { begin: '<|channel>thought', end: '<channel|>' },
  { begin: '<|START_THINKING|>', end: '<|END_THINKING|>' },
];

/** Some of the marks are special tokens, which the text of an answer has only if it is asked for. `<|channel>` is one, and the
 *  word behind it is text. */
export const reasoningMarks: readonly string[] = allMarks.flatMap(({ begin, end }) => [
  begin.replace(/>\w+$/, '>'),
  end,
]);

/** A piece of an answer in its two parts. One of them may be empty, or both while it is unclear where a piece belongs. */
export interface ReasoningPiece {
  readonly reasoning: string;
  readonly text: string;
}

/** The marks after which a prompt leaves the answer to begin, such as `<think>` at the end of what a template wrote. */
export function openMarks(prompt: string): Marks | undefined {
  const end = prompt.trimEnd();
  return allMarks.find(({ begin }) => end.endsWith(begin));
}

export class ReasoningText {
  #state: 'start' | 'thinking' | 'after' | 'answer' = 'start';
  #marks: Marks | undefined;
  /** What is unclear so far. */
  #held = '';
  #hasThought = false;

  /** `open`: the marks that the prompt has begun. */
  constructor(open?: Marks) {
    this.#marks = open;
    if (open) {
      this.#state = 'thinking';
    }
  }

  /** Whether the next piece belongs to the thinking, as far as is clear. */
  get isReasoning(): boolean {
    return this.#state === 'thinking';
  }

  /** Whether there is text whose part is unclear. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  add(piece: string): ReasoningPiece {
    this.#held += piece;
    if (this.#state === 'start') {
      this.#begin();
    }
    const reasoning = this.#state === 'thinking' ? this.#thought() : '';
    const text = this.#state === 'thinking' || this.#state === 'start' ? '' : this.#answered();
    return { reasoning, text };
  }

  /** What is left at the end of an answer. */
  rest(): ReasoningPiece {
    const held = this.#held;
    this.#held = '';
    const isReasoning = this.#state === 'thinking';
    return isReasoning ? { reasoning: held.trimEnd(), text: '' } : { reasoning: '', text: held };
  }

  #begin(): void {
    const text = this.#held.trimStart();
    const marks = allMarks.find(({ begin }) => text.startsWith(begin));
    if (marks) {
      this.#marks = marks;
      this.#state = 'thinking';
      this.#held = text.slice(marks.begin.length);
    } else if (!allMarks.some(({ begin }) => begin.startsWith(text))) {
      this.#state = 'answer';
    }
  }

  #thought(): string {
    const { begin, end } = this.#marks as Marks;
    if (!this.#hasThought) {
      this.#held = this.#held.trimStart();
      // Some models write the mark that the prompt has already.
      if (this.#held.startsWith(begin)) {
        this.#held = this.#held.slice(begin.length).trimStart();
      } else if (begin.startsWith(this.#held)) {
        return '';
      }
      this.#hasThought = true;
    }
    const at = this.#held.indexOf(end);
    if (at >= 0) {
      const thought = this.#held.slice(0, at).trimEnd();
      this.#held = this.#held.slice(at + end.length);
      this.#state = 'after';
      return thought;
    }
    const certain = this.#held.slice(0, begunAt(this.#held, end)).trimEnd().length;
    const thought = this.#held.slice(0, certain);
    this.#held = this.#held.slice(certain);
    return thought;
  }

  /** The spaces after the thinking belong to neither part. */
  #answered(): string {
    const text = this.#state === 'after' ? this.#held.trimStart() : this.#held;
    if (text !== '') {
      this.#state = 'answer';
    }
    this.#held = '';
    return text;
  }
}

/** Where the end of a text begins a mark; its length if it does not. */
export function begunAt(text: string, mark: string): number {
  for (let length = Math.min(mark.length, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) {
      return text.length - length;
    }
  }
  return text.length;
}
