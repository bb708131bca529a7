// Runs the model and shows its answer after the turns on the page.

import { AmbryError, type GeneratedToken } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import type { AnswerFacts, ChatState, LoadedModel, Turn } from '../state/state.ts';
import { failureOf, formProblemOf, type Remedies } from './failures.ts';
import { type Answered, reasoningOf, runModel, type StartRun, textOfTokens } from './generate.ts';
import { withDropped } from './messages.ts';

/** An answer to write. */
export interface Writing {
  readonly turns: readonly Turn[];
  /** The beginning of the answer, if it is continued. */
  readonly begun?: Turn;
  /** What an earlier visit shows of the answer. */
  readonly interrupted?: Turn | undefined;
  /** Begins the answer of the model that is loaded then. */
  begin(loaded: LoadedModel): StartRun;
}

function answerTurn(begun: Turn | undefined, tokens: readonly GeneratedToken[]): Turn {
  const reasoning = (begun?.reasoning ?? '') + reasoningOf(tokens);
  return {
    from: 'model',
    text: (begun?.text ?? '') + textOfTokens(tokens),
    ...(reasoning !== '' && { reasoning }),
    tokens: [...(begun?.tokens ?? []), ...tokens],
  };
}

function factsOf(begun: Turn | undefined, { outcome }: Answered, model: string): AnswerFacts {
  const { tokens, tokensPerSecond, firstTokenMs } = outcome;
  const before = begun?.facts;
  return {
    model,
    tokens: tokens + (before?.tokens ?? 0),
    tokensPerSecond,
    firstTokenMs: before === undefined ? firstTokenMs : before.firstTokenMs,
  };
}

export class Answering {
  readonly #store: Store<ChatState>;
  readonly #remedies: Remedies;
  readonly #reopen: (loaded: LoadedModel) => Promise<void>;

  constructor(
    store: Store<ChatState>,
    remedies: Remedies,
    reopen: (loaded: LoadedModel) => Promise<void>,
  ) {
    this.#store = store;
    this.#remedies = remedies;
    this.#reopen = reopen;
  }

  /** If the worker died, it opens the model again and tries once more. */
  async write(writing: Writing, mayRetry = true): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded === null) {
      return;
    }
    this.#store.state.stop?.();
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const isCurrent = (): boolean => this.#store.state.stop === stop;
    this.#begin(writing, stop);
    try {
      const answered = await runModel(writing.begin(loaded), controller.signal, (tokens) => {
        if (isCurrent() && tokens.length > 0) {
          const turn = answerTurn(writing.begun, tokens);
          this.#store.update({ turns: [...writing.turns, turn] });
        }
      });
      if (isCurrent()) {
        this.#finish(writing, answered, loaded.name);
      }
    } catch (error) {
      if (isCurrent()) {
        this.#store.update({ stop: null });
        await this.#fail(writing, error, loaded, mayRetry);
      }
    }
  }

  #begin({ turns, begun, interrupted }: Writing, stop: () => void): void {
    const shown = begun ?? interrupted;
    this.#store.update({
      turns: shown === undefined ? turns : [...turns, shown],
      stop,
      isAnswer: begun === undefined,
      interrupted: null,
      outcome: null,
      selected: null,
      failure: null,
      formProblem: '',
      notice: '',
    });
  }

  #finish({ turns, begun }: Writing, answered: Answered, model: string): void {
    const { outcome, tokens, dropped } = answered;
    const seen = withDropped(turns, dropped.length);
    const isEmpty = tokens.length === 0 && outcome.stoppedBy === 'left' && begun === undefined;
    const turn = { ...answerTurn(begun, tokens), facts: factsOf(begun, answered, model) };
    this.#store.update({ turns: isEmpty ? seen : [...seen, turn], outcome, stop: null });
  }

  async #fail(
    writing: Writing,
    error: unknown,
    loaded: LoadedModel,
    mayRetry: boolean,
  ): Promise<void> {
    if (mayRetry && error instanceof AmbryError && error.code === 'Crashed') {
      await this.#reopen(loaded);
      await this.write(writing, false);
      return;
    }
    if (writing.interrupted !== undefined) {
      this.#store.update({ turns: [...writing.turns, writing.interrupted] });
    }
    const failure = failureOf(error, this.#store.state, this.#remedies);
    this.#store.update({ failure, formProblem: formProblemOf(error) ?? '' });
  }
}
