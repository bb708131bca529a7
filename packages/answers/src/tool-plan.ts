// How an answer may use tools, and the form that it must have for that.
import { AmbryError, type GenerateOptions, type Generator, type Tool } from 'ambry';
import { checkList, checkModel } from './check.ts';
import { eitherSchema } from './either-schema.ts';

/** `text`: the answer is text. `auto`: it may call tools. `forced`: it is a call, by its format. `either`: by its format it
 *  is a call, or keeps to a schema. */
export type ToolMode = 'text' | 'auto' | 'forced' | 'either';

/** Which tool an answer calls: none, as the model likes, any one of them, or this one. */
export type ToolChoice = 'none' | 'auto' | 'required' | { readonly name: string };

export interface ToolPlan extends Pick<GenerateOptions, 'format'> {
  readonly mode: ToolMode;
  /** What the prompt offers to the model. */
  readonly tools: readonly Tool[];
}

/**
 * How an answer with this choice of tools is made. With `schema` an answer that calls no tool keeps to it.
 *
 * Rejects with `Unsupported` at `chatTemplate` for a model whose template shows no way of calling tools that is known, and
 * with `BadValue` at `toolChoice` for a tool that is not there, or a call without tools.
 */
export async function toolPlan(
  model: Generator,
  tools: readonly Tool[],
  choice: ToolChoice = 'auto',
  schema?: object | boolean,
): Promise<ToolPlan> {
  checkModel(model);
  checkList(tools, 'tools');
  if (choice === 'none' || (tools.length === 0 && choice === 'auto')) {
    return { mode: 'text', tools: [], ...(schema !== undefined && { format: { schema } }) };
  }
  const chosen = chosenTools(tools, choice);
  // Also asked for where it is not needed, because it rejects for a template without tools.
  const call = await model.toolCallSchema(chosen);
  if (choice !== 'auto') {
    return { mode: 'forced', tools: chosen, format: { schema: call } };
  }
  if (schema === undefined) {
    return { mode: 'auto', tools: chosen };
  }
  return { mode: 'either', tools: chosen, format: { schema: eitherSchema(call, schema) } };
}

function chosenTools(
  tools: readonly Tool[],
  choice: 'auto' | 'required' | { readonly name: string },
): readonly Tool[] {
  if (tools.length === 0) {
    throw badChoice('There must be tools to choose from.');
  }
  if (choice === 'auto' || choice === 'required') {
    return tools;
  }
  if (typeof choice?.name !== 'string') {
    throw badChoice("Must be 'none', 'auto', 'required' or { name } of a tool.");
  }
  const chosen = tools.filter((tool) => tool?.function?.name === choice.name);
  if (chosen.length > 0) {
    return chosen;
  }
  throw badChoice(`There is no tool ${JSON.stringify(choice.name)}.`);
}

function badChoice(message: string): AmbryError {
  return new AmbryError('BadValue', message, { path: 'toolChoice' });
}
