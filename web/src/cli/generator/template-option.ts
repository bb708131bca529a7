// The options that choose a chat template and give it more variables.
import type { Generator } from '../../index.ts';
import type { CommandOptions } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';

export const templateOptions = {
  template: {
    type: 'string',
    value: 'NAME|FILE',
    help: 'The chat template: the name of one in the model, or a file in Jinja. Default: the one named default.',
  },
  variable: {
    type: 'string',
    multiple: true,
    value: 'NAME=JSON',
    help: 'A variable of the chat template, such as enable_thinking=false or reasoning_effort=low. What is no JSON is a text. May be repeated. Default: none.',
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

/** The variables by their names. */
export function readVariables({
  variable,
}: {
  readonly variable?: readonly string[] | undefined;
}): {
  readonly variables?: Readonly<Record<string, unknown>>;
} {
  if (variable === undefined) {
    return {};
  }
  const pairs = variable.map((given) => {
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(given) ?? [];
    if (name === undefined) {
      const message = `"${given}" is no NAME=JSON, such as enable_thinking=false.`;
      throw new UsageError(message, '--variable');
    }
    return [name, jsonOrText(value)] as const;
  });
  return { variables: Object.fromEntries(pairs) };
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
