// What the readers of all families of calls share.
import { AmbryError } from '../../base/errors.ts';
import type { Tool, ToolAnswer, ToolCall } from '../base/types.ts';

/** How the models of a family write calls. */
export interface ToolFamily {
  /** Whether a template is of this family. */
  readonly isOf: (template: string) => boolean;
  /** The member of a call that has its arguments. */
  readonly argumentsName: 'arguments' | 'parameters';
  /** `tools` tell which arguments are text, where the model writes all alike. */
  readonly read: (text: string, family: ToolFamily, tools: readonly Tool[]) => ToolAnswer;
}

/** Longer texts and more calls are refused. */
export const limits = { characters: 1 << 20, calls: 128 } as const;

export function parsedCall(text: string, index: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badCall(index, 'It is not JSON.');
  }
}

/** Some models write arguments as a text of JSON. */
export function readCall(
  call: unknown,
  index: number,
  { argumentsName }: Pick<ToolFamily, 'argumentsName'>,
): ToolCall {
  if (!isObject(call) || typeof call.name !== 'string') {
    throw badCall(index, 'It must be an object with a name.');
  }
  const { name, id } = call;
  const other = argumentsName === 'arguments' ? 'parameters' : 'arguments';
  const given = call[argumentsName] ?? call[other] ?? {};
  const args = typeof given === 'string' ? parsedCall(given, index) : given;
  if (!isObject(args)) {
    throw badCall(index, 'Its arguments must be an object.');
  }
  return { name, arguments: args, ...(typeof id === 'string' && { id }) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function limited<T>(calls: readonly T[]): readonly T[] {
  if (calls.length <= limits.calls) {
    return calls;
  }
  const message = `The answer has more than ${limits.calls} calls.`;
  throw new AmbryError('LimitExceeded', message, { path: 'toolCalls' });
}

export function badCall(index: number, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path: `toolCalls[${index}]` });
}
