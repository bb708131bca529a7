// The options of `ambry generate` that give the form of the answer.
import { messageOf } from '../../base/errors.ts';
import type { GenerateOptions } from '../../entries/types.ts';
import type { CommandOptions, OptionValues } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';

export const formatOptions = {
  schema: {
    type: 'string',
    value: 'FILE',
    help: 'A JSON Schema. The answer is JSON that it allows. Default: none.',
  },
  choice: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A text that the answer may be. May be repeated. Default: none.',
  },
  regex: {
    type: 'string',
    value: 'REGEX',
    help: 'A regular expression that the whole answer matches. Default: none.',
  },
  grammar: {
    type: 'string',
    value: 'FILE',
    help: 'A grammar in GBNF that the answer keeps to. Default: none.',
  },
} as const satisfies CommandOptions;

/** At most one option gives the form. */
export async function readFormat({
  schema,
  choice,
  regex,
  grammar,
}: OptionValues<typeof formatOptions>): Promise<Pick<GenerateOptions, 'format'>> {
  const given = Object.entries({ schema, choice, regex, grammar }).filter(
    ([, value]) => value !== undefined,
  );
  const [, second] = given.map(([name]) => `--${name}`);
  if (second !== undefined) {
    throw new UsageError('Give one of --schema, --choice, --regex and --grammar.', second);
  }
  if (schema !== undefined) {
    return { format: { schema: await readSchema(schema) } };
  }
  if (choice !== undefined) {
    return { format: { choices: choice } };
  }
  if (regex !== undefined) {
    return { format: { regex } };
  }
  return grammar === undefined ? {} : { format: { grammar: await readText(grammar) } };
}

async function readSchema(path: string): Promise<object> {
  const text = await readText(path);
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${messageOf(error)}`, '--schema');
  }
}
