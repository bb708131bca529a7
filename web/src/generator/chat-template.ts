// Conversations to prompts by the Jinja templates that models bring. Pages fetch this with their first
// conversation; the engine walks the template's tree and needs no eval.
import { Template } from '@huggingface/jinja';
import { AmbryError, messageOf } from '../errors.ts';
import type { ChatMessage, ChatTemplateOptions } from './types.ts';

/** `specialTokens` by role; templates know them as `bos_token`, `eos_token`, …. */
export function render(
  template: string | undefined,
  messages: readonly ChatMessage[],
  { addGenerationPrompt = true, variables = {} }: ChatTemplateOptions,
  specialTokens: Readonly<Record<string, string>>,
): string {
  if (template === undefined) {
    const message =
      'The file has no template for conversations; give one, or write the prompt as a text.';
    throw new AmbryError('NotFound', message, { path: 'chatTemplate' });
  }
  messages.forEach((given: Partial<ChatMessage> | null, i) => {
    if (typeof given?.role === 'string' && given.content !== undefined) return;
    const message = 'A message is an object of a role and its content.';
    throw new AmbryError('BadValue', message, { path: `messages[${i}]` });
  });
  const roles = Object.entries(specialTokens).map(([role, text]) => [`${role}_token`, text]);
  const names = {
    ...Object.fromEntries(roles),
    messages,
    add_generation_prompt: addGenerationPrompt,
    ...variables,
  };
  try {
    return new Template(template).render(names);
  } catch (error) {
    const message = `The template for conversations failed: ${messageOf(error)}`;
    throw new AmbryError('BadValue', message, { path: 'chatTemplate', cause: error });
  }
}
