// Answers of a language model as events.
import {
  AmbryError,
  type GeneratedToken,
  type GenerateOptions,
  type Generation,
  type Generator,
  type Prompt,
  type ToolCall,
} from 'ambry';
import { HeldText } from './held-text.ts';
import type { ToolMode } from './tool-plan.ts';

export interface AnswerTask {
  readonly prompts: readonly Prompt[];
  readonly options?: Omit<GenerateOptions, 'n' | 'signal'>;
  /** The number of answers to each prompt; 1 when absent. */
  readonly n?: number;
  /** `text` when absent. */
  readonly tools?: ToolMode;
  /** The most calls in an answer. */
  readonly maxCalls?: number;
}

export interface AnswerText {
  readonly kind: 'text';
  /** Answer `j` to prompt `i` has the number `i * n + j`. */
  readonly answer: number;
  readonly text: string;
  readonly token: GeneratedToken;
}

export interface AnswerEnd {
  readonly kind: 'end';
  readonly answer: number;
  /** The last of the text, which was held back. */
  readonly text: string;
  readonly reason: 'stop' | 'length' | 'tool_calls';
  readonly calls: readonly ToolCall[];
  readonly generation: Generation;
}

export type AnswerEvent = AnswerText | AnswerEnd;

/**
 * The tokens of all answers by turns, and the end of each. Leaving the loop ends them.
 *
 * Rejects as `generate` does.
 *
 * @example
 * for await (const event of answers(model, { prompts: ['Once'] })) write(event.text);
 */
export async function* answers(
  model: Generator,
  task: AnswerTask,
  signal?: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const { prompts, n = 1 } = task;
  const options = { ...task.options, ...(signal && { signal }) };
  if (n === 1 && prompts.length > 1) {
    yield* events(model, model.generateAll(prompts, options), task, 0);
    return;
  }
  for (const [i, prompt] of prompts.entries()) {
    yield* events(model, model.generate(prompt, { ...options, n }), task, i * n);
  }
}

type Run = ReturnType<Generator['generate']> | ReturnType<Generator['generateAll']>;

async function* events(
  model: Generator,
  run: Run,
  task: AnswerTask,
  first: number,
): AsyncGenerator<AnswerEvent, void> {
  const held: HeldText[] = [];
  try {
    for await (const token of run) {
      const place = token.answer ?? token.prompt ?? 0;
      held[place] ??= new HeldText();
      const text = taken(held[place], token.text, task.tools);
      yield { kind: 'text', answer: first + place, text, token };
    }
  } finally {
    // The model is free only when the worker has stopped.
    await run.results.catch(() => {});
  }
  for (const [place, generation] of (await run.results).entries()) {
    const end = await endOf(model, held[place] ?? new HeldText(), generation, task);
    yield { kind: 'end', answer: first + place, generation, ...end };
  }
}

function taken(held: HeldText, piece: string, tools: ToolMode = 'text'): string {
  if (tools === 'text') {
    return piece;
  }
  const text = held.add(piece);
  return tools === 'auto' ? text : '';
}

type End = Pick<AnswerEnd, 'text' | 'reason' | 'calls'>;

async function endOf(
  model: Generator,
  held: HeldText,
  generation: Generation,
  { tools = 'text', maxCalls }: AnswerTask,
): Promise<End> {
  const reason = ['length', 'context'].includes(generation.stop) ? 'length' : 'stop';
  if (tools === 'text') {
    return { text: '', reason, calls: [] };
  }
  const { text, calls } =
    tools === 'forced' ? forcedCall(generation) : await foundCalls(model, held.whole);
  if (calls.length === 0) {
    return { text: held.rest(), reason, calls };
  }
  return { text: held.restOf(text), reason: 'tool_calls', calls: calls.slice(0, maxCalls) };
}

/** The answer is a call unless it was cut. */
function forcedCall({ parsed }: Generation): { text: string; calls: readonly ToolCall[] } {
  if (parsed === undefined) {
    return { text: '', calls: [] };
  }
  const { name, arguments: given, parameters } = parsed as Record<string, unknown>;
  const args = (given ?? parameters) as Record<string, unknown>;
  return { text: '', calls: [{ name: String(name), arguments: args }] };
}

/** Small models write calls that are none. Those are text, as the model wrote it. */
async function foundCalls(
  model: Generator,
  whole: string,
): Promise<{ text: string; calls: readonly ToolCall[] }> {
  try {
    return await model.parseToolCalls(whole);
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    return { text: whole, calls: [] };
  }
}
