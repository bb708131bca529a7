// The text of an answer that may call tools, apart from its calls.
import { AmbryError } from '../../base/errors.ts';
import type { ToolAnswer, ToolCall } from '../base/types.ts';
import { HeldText } from './held-text.ts';
import { parseToolCalls } from './tool-calls.ts';
import type { ToolPlan } from './tool-plan.ts';

export class ToolText {
  readonly #plan: ToolPlan;
  readonly #held = new HeldText();

  constructor(plan: ToolPlan) {
    this.#plan = plan;
  }

  /** Whether there is text that may belong to a call. */
  get isHolding(): boolean {
    return this.#held.isHolding;
  }

  /** Takes a piece, and returns what is certainly no call. */
  add(piece: string): string {
    if (this.#plan.mode === 'auto') {
      return this.#held.add(piece);
    }
    this.#held.keep(piece);
    return '';
  }

  /** The calls, and what was held back and is none. `parsed` is the value of an answer that keeps to its form. */
  end(parsed: unknown): ToolAnswer {
    const found =
      this.#plan.mode === 'auto'
        ? foundCalls(this.#held.whole, this.#plan)
        : { text: '', calls: formedCalls(parsed, this.#plan) };
    const { text, calls } = found;
    return { text: calls.length > 0 ? this.#held.restOf(text) : this.#held.rest(), calls };
  }
}

/** Small models write calls that are none. Those are text, as the model wrote it. */
function foundCalls(whole: string, { template, tools }: ToolPlan): ToolAnswer {
  try {
    return parseToolCalls(whole, template, tools);
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    return { text: whole, calls: [] };
  }
}

/** An answer whose form has calls is one, unless it was cut, or has the other form that it may have. */
function formedCalls(parsed: unknown, { tools }: ToolPlan): readonly ToolCall[] {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return [];
  }
  const { name, arguments: given, parameters, ...rest } = parsed as Record<string, unknown>;
  const args = given ?? parameters;
  const isCall =
    tools.some((tool) => tool.function.name === name) &&
    Object.keys(rest).length === 0 &&
    typeof args === 'object' &&
    args !== null;
  return isCall ? [{ name: String(name), arguments: args as ToolCall['arguments'] }] : [];
}
