// Answers of a language model as events: each token as it comes, and the end of each answer.
import type {
  GeneratedToken,
  GenerateOptions,
  Generation,
  Generator,
  Prompt,
  ToolCall,
} from 'ambry';

export interface AnswerTask {
  readonly prompts: readonly Prompt[];
  readonly options?: Omit<GenerateOptions, 'n' | 'signal'>;
  /** The number of answers to each prompt; 1 when absent. */
  readonly n?: number;
  /** The most calls in an answer. */
  readonly maxCalls?: number;
}

/** A task that says how many answers each prompt gets. */
export interface CountedTask extends AnswerTask {
  readonly n: number;
}

export interface AnswerToken {
  readonly kind: 'token';
  /** Answer `j` to prompt `i` has the number `i * n + j`. */
  readonly answer: number;
  readonly token: GeneratedToken;
}

export interface AnswerEnd {
  readonly kind: 'end';
  readonly answer: number;
  readonly reason: 'stop' | 'length' | 'tool_calls';
  readonly calls: readonly ToolCall[];
  readonly generation: Generation;
}

export type AnswerEvent = AnswerToken | AnswerEnd;

/** The tokens of all answers by turns, and the end of each. Leaving the loop ends them. Rejects as `generate` does. */
export async function* answers(
  model: Generator,
  task: AnswerTask,
  signal?: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const { prompts, n = 1 } = task;
  const options = { ...task.options, ...(signal && { signal }) };
  if (n === 1 && prompts.length > 1) {
    yield* events(model.generateAll(prompts, options), task, 0);
    return;
  }
  for (const [i, prompt] of prompts.entries()) {
    yield* events(model.generate(prompt, { ...options, n }), task, i * n);
  }
}

type Run = ReturnType<Generator['generate']> | ReturnType<Generator['generateAll']>;

async function* events(
  run: Run,
  { maxCalls }: AnswerTask,
  first: number,
): AsyncGenerator<AnswerEvent, void> {
  try {
    for await (const token of run) {
      yield { kind: 'token', answer: first + (token.answer ?? token.prompt ?? 0), token };
    }
  } finally {
    // The model is free only when the worker has stopped.
    await run.results.catch(() => {});
  }
  for (const [place, generation] of (await run.results).entries()) {
    const { finishReason, toolCalls } = generation;
    // An answer that was left is one whose reader has gone.
    const reason = finishReason === 'left' ? 'stop' : finishReason;
    const calls = toolCalls.slice(0, maxCalls);
    yield { kind: 'end', answer: first + place, reason, calls, generation };
  }
}
