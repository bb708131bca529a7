// A line in, a line out, for as many as there are: what `embed --jsonl` and `search --jsonl` do alike.
import { AmbryError } from '../../errors.ts';
import { describe } from './failure.ts';
import { plural } from './format.ts';
import { byteInput, type Line, lineGroups, placeOf, textOfLine } from './line-input.ts';
import type { Terminal } from './terminal.ts';

/** Enough for full batches, few enough for a progress that moves. */
const kMostAtOnce = 256;

export interface LineInput {
  /** `-` for standard input. */
  readonly file: string;
  readonly skipBad: boolean;
}

export interface LineWork<Asked> {
  /** What a line asks for. Throws an AmbryError for a bad one. */
  readonly read: (text: string, number: number) => Asked;
  /** One answer for each, in order. An error at `texts[i]` is that of the i-th. */
  readonly answer: (asked: readonly Asked[]) => Promise<readonly unknown[]>;
}

interface Numbered<Asked> {
  readonly number: number;
  readonly asked: Asked;
}

/** Answers every line that is not blank, as JSON. A bad one ends the work after the answers to those before it, or
 *  with `skipBad` is told and left out. Gives the exit code. */
export async function answerLines<Asked>(
  { file, skipBad }: LineInput,
  terminal: Terminal,
  work: LineWork<Asked>,
): Promise<number> {
  const answers = new LineAnswers(skipBad, terminal, work);
  for await (const lines of lineGroups(await byteInput(file, terminal.signal))) {
    await answers.give(lines);
  }
  answers.end();
  return 0;
}

class LineAnswers<Asked> {
  readonly #skipBad: boolean;
  readonly #terminal: Terminal;
  readonly #work: LineWork<Asked>;
  #done = 0;
  #bad = 0;

  constructor(skipBad: boolean, terminal: Terminal, work: LineWork<Asked>) {
    this.#skipBad = skipBad;
    this.#terminal = terminal;
    this.#work = work;
  }

  async give(lines: readonly Line[]): Promise<void> {
    const waiting: Numbered<Asked>[] = [];
    for (const line of lines) {
      try {
        const text = textOfLine(line);
        const { number } = line;
        if (text !== '') waiting.push({ number, asked: this.#work.read(text, number) });
      } catch (error) {
        await this.#refuse(error, waiting);
      }
      if (waiting.length === kMostAtOnce) await this.#answer(waiting.splice(0));
    }
    await this.#answer(waiting);
  }

  end(): void {
    if (this.#bad > 0) this.#terminal.note(`left out ${plural(this.#bad, 'bad line')}`);
  }

  async #answer(waiting: readonly Numbered<Asked>[]): Promise<void> {
    if (waiting.length === 0) return;
    let answers: readonly unknown[];
    try {
      answers = await this.#work.answer(waiting.map(({ asked }) => asked));
    } catch (error) {
      const at = textAt(error);
      const faulty = waiting[at ?? -1];
      if (at === undefined || !faulty) throw error;
      await this.#refuse(withLine(error as AmbryError, faulty.number), waiting.slice(0, at));
      return this.#answer(waiting.toSpliced(at, 1));
    }
    await this.#terminal.send(answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
    this.#done += waiting.length;
    this.#terminal.onProgress({ phase: 'embed', loaded: this.#done, total: 0, cached: false });
  }

  /** Warns of a bad line, or else fails after the answers to those `before` it. */
  async #refuse(error: unknown, before: readonly Numbered<Asked>[]): Promise<void> {
    if (!(error instanceof AmbryError)) throw error;
    if (!this.#skipBad) {
      await this.#answer(before);
      throw error;
    }
    this.#bad++;
    this.#terminal.note(`warning  ${describe(error.toJSON())}`);
  }
}

/** Which of the texts an error is about. */
function textAt(error: unknown): number | undefined {
  const found = error instanceof AmbryError ? /^texts\[(\d+)\]$/.exec(error.path ?? '') : null;
  return found ? Number(found[1]) : undefined;
}

function withLine({ code, message, cause }: AmbryError, number: number): AmbryError {
  return new AmbryError(code, `Line ${number}: ${message}`, { path: placeOf(number), cause });
}
