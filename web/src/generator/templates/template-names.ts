// The variables of a chat template, as plain data that can be sent to a worker.
import { AmbryError } from '../../base/errors.ts';
import type { ChatMessage, ChatTemplateOptions } from '../base/types.ts';

/** What contains itself is deeper. */
const deepest = 200;

/** `specialTokens` has texts by role. Templates use the names `bos_token`, `eos_token`, …. */
export function templateNames(
  messages: readonly ChatMessage[],
  { addGenerationPrompt = true, variables = {} }: ChatTemplateOptions,
  specialTokens: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  for (const [i, given] of messages.entries()) {
    if (typeof given?.role === 'string' && given.content !== undefined) {
      continue;
    }
    const message = 'A message is an object of a role and its content.';
    throw new AmbryError('BadValue', message, { path: `messages[${i}]` });
  }
  const roles = Object.entries(specialTokens).map(([role, text]) => [`${role}_token`, text]);
  return {
    // As transformers passes them: templates ask whether they are none.
    tools: null,
    documents: null,
    ...Object.fromEntries(roles),
    messages: plainCopy(messages, 'messages'),
    add_generation_prompt: addGenerationPrompt,
    ...(plainCopy(variables, 'variables') as object),
  };
}

/** A copy of the own fields, which is what a template sees. Not every object can be sent to a worker as it is: a proxy,
 *  as some frameworks use it for state, cannot. */
function plainCopy(given: unknown, path: string, depth = 0): unknown {
  if (depth > deepest) {
    throw unfit(path, 'It contains itself, or has too many levels.');
  }
  if (Array.isArray(given)) {
    return given.map((item, i) => plainCopy(item, `${path}[${i}]`, depth + 1));
  }
  if (typeof given === 'object' && given !== null) {
    const fields = Object.entries(given).filter(([, value]) => value !== undefined);
    const copies = fields.map(([key, value]) => [
      key,
      plainCopy(value, `${path}.${key}`, depth + 1),
    ]);
    return Object.fromEntries(copies);
  }
  if (/^(function|symbol|bigint)$/.test(typeof given)) {
    throw unfit(path, `A template takes texts, numbers, lists and objects, not ${typeof given}s.`);
  }
  return given;
}

function unfit(path: string, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path });
}
