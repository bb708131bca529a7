// The option that chooses a chat template.
import type { Generator } from '../../index.ts';
import type { CommandOptions } from '../shared/command.ts';
import { readText } from '../shared/input.ts';

export const templateOption = {
  template: {
    type: 'string',
    value: 'NAME|FILE',
    help: 'The chat template: the name of one in the model, or a file in Jinja. Default: the one named default.',
  },
} as const satisfies CommandOptions;

/** A name of the model's, or the text of the file. */
export async function readTemplate(
  given: string | undefined,
  model: Generator,
): Promise<{ readonly template?: string }> {
  if (given === undefined) {
    return {};
  }
  const isName = model.info.generator.chatTemplates.includes(given);
  return { template: isName ? given : await readText(given) };
}
