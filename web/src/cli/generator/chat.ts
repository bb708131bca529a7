import { createInterface, type Interface } from 'node:readline';
import { AmbryError, isAbort } from '../../base/errors.ts';
import type { GenerationRun, Reply } from '../../entries/types.ts';
import type { ChatSession } from '../../index.ts';
import { openJournal } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { describeProblem } from '../shared/failure.ts';
import { standardInput } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { answerTexts } from './generate.ts';
import { generatorOptions, withGenerator } from './open-generator.ts';
import { parseSampling, samplingOptions } from './sampling-options.ts';
import { readTemplate, readVariables, templateOptions } from './template-option.ts';

export const command = defineCommand({
  usage: 'MODEL',
  summary: 'Talk with a language model, a message a line',
  details: [
    'Each line of standard input is a message, and each answer is printed as it is generated. Only what is new is computed. When the context is full, the oldest turns are dropped.',
    'At a terminal, Ctrl-C ends the answer, and without one the conversation. /again answers the last message anew, and /exit ends the conversation.',
  ],
  options: {
    system: {
      type: 'string',
      value: 'TEXT',
      help: 'The system message before the conversation. Default: none.',
    },
    journal: {
      type: 'string',
      value: 'FILE',
      help: 'Keep the conversation in this file, and go on with the one that it has, in the middle of an answer, too. Default: it is not kept.',
    },
    ...templateOptions,
    ...samplingOptions,
    ...generatorOptions,
    ...jsonOption,
  },
  json: '{message, promptIds, ids, text, reasoning, toolCalls, finishReason, stoppedBy, usage, seed, generated, tokensPerSecond, droppedMessages, prefill}, one line for each answer.',
  examples: [
    "chat chat.amb --system 'Be brief.'",
    'chat chat.amb --journal tides.journal',
    'chat chat.amb --kv int8 --temperature 0 --json < questions.txt',
  ],
  argumentCount: [1, 1],
  run: async ([file = ''], values, terminal) => {
    const { system, journal } = values;
    const sampling = { ...parseSampling(values), ...readVariables(values) };
    return withGenerator(file, values, terminal, async (model) => {
      const options = {
        ...sampling,
        ...(await readTemplate(values.template, model)),
        ...(system !== undefined && { system }),
        trim: 'oldest',
      } as const;
      await using chat =
        journal === undefined
          ? model.session(options)
          : await model.resumeSession(openJournal(journal), options);
      return await new Talk(chat, terminal, values.json === true).run();
    });
  },
});

class Talk {
  readonly #chat: ChatSession;
  readonly #terminal: Terminal;
  readonly #asJson: boolean;
  readonly #lines: Interface;
  readonly #isInteractive: boolean;
  /** Lines may wait after the end of the input. */
  #hasEnded = false;
  /** Ends the answer that runs. */
  #answering: AbortController | undefined;

  constructor(chat: ChatSession, terminal: Terminal, asJson: boolean) {
    this.#chat = chat;
    this.#terminal = terminal;
    this.#asJson = asJson;
    const input = standardInput();
    this.#isInteractive = input.isTTY === true && process.stderr.isTTY === true;
    const output = this.#isInteractive ? process.stderr : undefined;
    this.#lines = createInterface({
      input,
      ...(output && { output }),
      terminal: this.#isInteractive,
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    this.#lines.once('close', () => {
      this.#hasEnded = true;
    });
    this.#lines.on('SIGINT', () => {
      if (this.#answering) {
        this.#answering.abort();
      } else {
        this.#lines.close();
      }
    });
  }

  async run(): Promise<number> {
    // The iterator keeps the lines that come meanwhile.
    const lines = this.#lines[Symbol.asyncIterator]();
    await this.#show((signal) => this.#chat.resume({ signal }));
    this.#prompt();
    for await (const line of lines) {
      const message = await this.#message(line.trim());
      if (message === '/exit') {
        break;
      }
      if (message !== '') {
        await this.#show((signal) => this.#chat.send(message, { signal }));
      }
      this.#prompt();
    }
    this.#lines.close();
    return this.#terminal.stopCode ?? 0;
  }

  #prompt(): void {
    if (this.#isInteractive && !this.#hasEnded) {
      this.#lines.prompt();
    }
  }

  /** The last message again for `/again`. */
  async #message(line: string): Promise<string> {
    if (line !== '/again') {
      return line;
    }
    const last = this.#chat.messages.at(-2);
    if (last?.role !== 'user') {
      return '';
    }
    await this.#chat.rewind(2);
    return last.content;
  }

  /** Shows an answer. Null: there is none to go on with. */
  async #show(begin: (signal: AbortSignal) => GenerationRun<Reply> | null): Promise<void> {
    this.#answering = new AbortController();
    const signal = AbortSignal.any([this.#answering.signal, this.#terminal.signal]);
    try {
      const run = begin(signal);
      if (!run) {
        return;
      }
      if (!this.#asJson) {
        await this.#terminal.pipe(answerTexts(run, (part) => this.#terminal.aside(part)));
      }
      const { prompt: prefill, ...result } = await run.result;
      if (this.#asJson) {
        const message = this.#chat.messages.at(-2)?.content;
        this.#terminal.printJson({ message, ...result, prefill });
      } else {
        this.#terminal.print('');
      }
    } catch (error) {
      this.#report(error);
    } finally {
      this.#answering = undefined;
    }
  }

  /** A conversation at a terminal goes on after an error; that of a script does not. */
  #report(error: unknown): void {
    const isKnown = error instanceof AmbryError && this.#isInteractive;
    if (isAbort(error)) {
      this.#terminal.print('');
    } else if (isKnown) {
      this.#terminal.note(`ambry: ${describeProblem(error.toJSON())}`);
    } else {
      throw error;
    }
  }
}
