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
import { checkList, checkModel } from './check.ts';
import { HeldText } from './held-text.ts';
import { openMarks, type ThinkingPiece, ThinkingText } from './thinking-text.ts';
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
  /** Takes what the model writes between `<think>` and `</think>` before its answer apart from the answer. `prompt` is
   *  what the chat template made, whose end may have begun the thinking. Without this it is text. */
  readonly thinking?: { readonly prompt: string };
}

export interface AnswerText {
  readonly kind: 'text';
  /** Answer `j` to prompt `i` has the number `i * n + j`. */
  readonly answer: number;
  readonly text: string;
  /** What the token adds to the thinking before the answer; empty unless the task takes that apart. */
  readonly thinking: string;
  /** Whether the token belongs to the thinking, with its marks. */
  readonly isThinking: boolean;
  readonly token: GeneratedToken;
}

export interface AnswerEnd {
  readonly kind: 'end';
  readonly answer: number;
  /** The last of the text, which was held back. */
  readonly text: string;
  readonly thinking: string;
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
  checkModel(model);
  const { prompts, n = 1 } = task ?? {};
  checkList(prompts, 'task.prompts');
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
  const parts: AnswerParts[] = [];
  try {
    for await (const token of run) {
      const place = token.answer ?? token.prompt ?? 0;
      parts[place] ??= new AnswerParts(task);
      yield { kind: 'text', answer: first + place, ...parts[place].add(token.text), token };
    }
  } finally {
    // The model is free only when the worker has stopped.
    await run.results.catch(() => {});
  }
  for (const [place, generation] of (await run.results).entries()) {
    const own = parts[place] ?? new AnswerParts(task);
    const { thinking } = own.end();
    const end = await endOf(model, own.held, generation, task);
    yield { kind: 'end', answer: first + place, generation, thinking, ...end };
  }
}

/** The thinking, the text and what may be calls of an answer. */
class AnswerParts {
  readonly held = new HeldText();
  readonly #tools: ToolMode;
  readonly #thinking: ThinkingText | undefined;

  constructor({ tools = 'text', thinking }: AnswerTask) {
    this.#tools = tools;
    this.#thinking = thinking && new ThinkingText(openMarks(thinking.prompt));
  }

  add(piece: string): Pick<AnswerText, 'text' | 'thinking' | 'isThinking'> {
    const was = this.#thinking?.isThinking ?? false;
    const { thinking, text } = this.#thinking?.add(piece) ?? { thinking: '', text: piece };
    const isThinking = was || (this.#thinking?.isThinking ?? false);
    return { thinking, isThinking, text: this.#hold(text) };
  }

  /** Must be called before the rest of the held text is taken. */
  end(): ThinkingPiece {
    const rest = this.#thinking?.rest() ?? { thinking: '', text: '' };
    this.held.keep(rest.text);
    return rest;
  }

  #hold(text: string): string {
    if (this.#tools === 'text') {
      return this.held.pass(text);
    }
    if (this.#tools === 'auto') {
      return this.held.add(text);
    }
    this.held.keep(text);
    return '';
  }
}

type End = Pick<AnswerEnd, 'text' | 'reason' | 'calls'>;

async function endOf(
  model: Generator,
  held: HeldText,
  generation: Generation,
  { tools = 'text', maxCalls, prompts }: AnswerTask,
): Promise<End> {
  const reason = ['length', 'context'].includes(generation.stop) ? 'length' : 'stop';
  if (tools === 'text') {
    return { text: held.rest(), reason, calls: [] };
  }
  const { text, calls } =
    tools === 'auto' ? await foundCalls(model, held.whole) : formedCall(generation, prompts);
  if (calls.length === 0) {
    return { text: held.rest(), reason, calls };
  }
  return { text: held.restOf(text), reason: 'tool_calls', calls: calls.slice(0, maxCalls) };
}

/** An answer whose form has calls is one, unless it was cut, or has the other form that it may have. */
function formedCall(
  { parsed }: Generation,
  prompts: readonly Prompt[],
): { text: string; calls: readonly ToolCall[] } {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { text: '', calls: [] };
  }
  const { name, arguments: given, parameters, ...rest } = parsed as Record<string, unknown>;
  const args = given ?? parameters;
  const isCall =
    toolNames(prompts).has(name) &&
    Object.keys(rest).length === 0 &&
    typeof args === 'object' &&
    args !== null;
  if (!isCall) {
    return { text: '', calls: [] };
  }
  return { text: '', calls: [{ name: String(name), arguments: args as ToolCall['arguments'] }] };
}

function toolNames(prompts: readonly Prompt[]): ReadonlySet<unknown> {
  const tools = prompts.flatMap((prompt) =>
    typeof prompt === 'object' && 'tools' in prompt ? (prompt.tools ?? []) : [],
  );
  return new Set(tools.map((tool) => tool.function.name));
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
