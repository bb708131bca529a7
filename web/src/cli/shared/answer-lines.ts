// Answers lines of input with lines of output, for `--jsonl` of `embed`, `search` and `tokenize`. The number of lines
// is not limited.
import { AmbryError } from '../../base/errors.ts';
import { describeProblem } from './failure.ts';
import { plural } from './format.ts';
import { decodeLine, type Line, lineGroups, linePath, openBytes } from './read-lines.ts';
import type { Terminal } from './terminal.ts';

/** A batch of this size fills the model's batches, and the progress still moves. */
const maxBatchLines = 256;
/** Further invalid lines are only counted. */
const maxWarnings = 10;

export interface LineInput {
  /** `-` for standard input. */
  readonly file: string;
  readonly skipBad: boolean;
}

interface LineHandler<Request> {
  /** Parses a line. Throws an AmbryError if the line is invalid. */
  readonly parse: (text: string, number: number) => Request;
  /** Returns one answer for each request, in order. The path of an error is `texts[i]` if request i is at fault. */
  readonly answer: (requests: readonly Request[]) => Promise<readonly unknown[]>;
}

interface NumberedRequest<Request> {
  readonly number: number;
  readonly request: Request;
}

/** Answers every line that is not blank with a line of JSON. An invalid line ends the work after the answers to the
 *  lines before it. With `skipBad` it is skipped with a warning. Resolves to the exit code. */
export async function answerLines<Request>(
  { file, skipBad }: LineInput,
  terminal: Terminal,
  handler: LineHandler<Request>,
): Promise<number> {
  const answerer = new LineAnswerer(skipBad, terminal, handler);
  for await (const lines of lineGroups(await openBytes(file, terminal.signal))) {
    await answerer.add(lines);
  }
  answerer.finish();
  return 0;
}

class LineAnswerer<Request> {
  readonly #skipBad: boolean;
  readonly #terminal: Terminal;
  readonly #handler: LineHandler<Request>;
  #answered = 0;
  #skipped = 0;
  #firstSkipped = '';

  constructor(skipBad: boolean, terminal: Terminal, handler: LineHandler<Request>) {
    this.#skipBad = skipBad;
    this.#terminal = terminal;
    this.#handler = handler;
  }

  async add(lines: readonly Line[]): Promise<void> {
    const batch: NumberedRequest<Request>[] = [];
    for (const line of lines) {
      try {
        const text = decodeLine(line);
        const { number } = line;
        if (text !== '') {
          batch.push({ number, request: this.#handler.parse(text, number) });
        }
      } catch (error) {
        await this.#reject(error, batch);
      }
      if (batch.length === maxBatchLines) {
        await this.#answer(batch.splice(0));
      }
    }
    await this.#answer(batch);
  }

  finish(): void {
    if (this.#skipped === 0) {
      return;
    }
    const count = plural(this.#skipped, 'invalid line');
    const first = this.#skipped > maxWarnings ? `; the first is ${this.#firstSkipped}` : '';
    this.#terminal.note(`skipped ${count}${first}`);
  }

  async #answer(batch: readonly NumberedRequest<Request>[]): Promise<void> {
    if (batch.length === 0) {
      return;
    }
    let answers: readonly unknown[];
    try {
      answers = await this.#handler.answer(batch.map(({ request }) => request));
    } catch (error) {
      const at = faultyIndex(error);
      const faulty = batch[at ?? -1];
      if (at === undefined || !faulty) {
        throw error;
      }
      await this.#reject(withLine(error as AmbryError, faulty.number), batch.slice(0, at));
      return this.#answer(batch.toSpliced(at, 1));
    }
    await this.#terminal.write(answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
    this.#answered += batch.length;
    this.#terminal.onProgress({ phase: 'embed', loaded: this.#answered, total: 0, cached: false });
  }

  /** Warns of an invalid line. Without `skipBad` it answers the lines `before` it and throws. */
  async #reject(error: unknown, before: readonly NumberedRequest<Request>[]): Promise<void> {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    if (!this.#skipBad) {
      await this.#answer(before);
      throw error;
    }
    if (this.#skipped++ === 0) {
      this.#firstSkipped = error.path ?? '';
    }
    if (this.#skipped > maxWarnings) {
      return;
    }
    this.#terminal.note(`warning  ${describeProblem(error.toJSON())}`);
  }
}

/** The index of the text that the error names. */
function faultyIndex(error: unknown): number | undefined {
  const found = error instanceof AmbryError ? /^texts\[(\d+)\]$/.exec(error.path ?? '') : null;
  return found ? Number(found[1]) : undefined;
}

function withLine({ code, message, cause }: AmbryError, number: number): AmbryError {
  return new AmbryError(code, `Line ${number}: ${message}`, { path: linePath(number), cause });
}
