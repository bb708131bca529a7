// How an answer may use tools, and the form that it must have for that.
import { AmbryError } from '../../base/errors.ts';
import type { AnswerFormat, Tool, ToolChoice } from '../base/types.ts';
import { eitherSchema } from './either-schema.ts';
import { toolCallSchema } from './tool-calls.ts';

/** `auto`: the answer may call tools. `forced`: it is a call, by its format. `either`: by its format it is a call, or keeps
 *  to a schema. */
type ToolMode = 'auto' | 'forced' | 'either';

export interface ToolPlan {
  readonly mode: ToolMode;
  /** What the prompt offers to the model. */
  readonly tools: readonly Tool[];
  /** Replaces the format of the caller. */
  readonly format?: AnswerFormat;
  /** The chat template, which shows how the model writes calls. */
  readonly template: string | null;
}

interface ToolRequest {
  readonly tools: readonly Tool[];
  readonly choice: Exclude<ToolChoice, 'none'>;
  readonly format: AnswerFormat | undefined;
  readonly template: string | null;
  /** What the tools were given in, such as `options`. */
  readonly path: string;
}

/**
 * How an answer with this choice of tools is made. With a schema an answer that calls no tool keeps to it.
 *
 * Throws `Unsupported` at `chatTemplate` for a template that shows no way of calling tools that is known, and `BadValue` at
 * `…toolChoice` for a tool that is not there, or a call without tools.
 */
export function toolPlan(request: ToolRequest): ToolPlan {
  const { choice, format, template } = request;
  const tools = chosenTools(request);
  // Also asked for where it is not needed, because it throws for a template without tools.
  const call = toolCallSchema(tools, template);
  if (choice !== 'auto') {
    return { mode: 'forced', tools, template, format: { schema: call } };
  }
  if (format === undefined) {
    return { mode: 'auto', tools, template };
  }
  if (!('schema' in format)) {
    const message =
      'With tools the form of an answer is a schema. Use a schema, or toolChoice "none".';
    throw new AmbryError('BadValue', message, { path: 'options.format' });
  }
  return { mode: 'either', tools, template, format: { schema: eitherSchema(call, format.schema) } };
}

function chosenTools({ tools, choice, path }: ToolRequest): readonly Tool[] {
  const place = { path: `${path}.toolChoice` };
  if (tools.length === 0) {
    throw new AmbryError('BadValue', 'There must be tools to choose from.', place);
  }
  if (typeof choice === 'string') {
    return tools;
  }
  const chosen = tools.filter((tool) => tool.function.name === choice.name);
  if (chosen.length > 0) {
    return chosen;
  }
  throw new AmbryError('BadValue', `There is no tool ${JSON.stringify(choice.name)}.`, place);
}
