// Which of a model's chat templates a conversation takes.
import { AmbryError } from '../../base/errors.ts';
import type { FileInfo } from '../../model/file-info.ts';

/** Templates by their names. */
export type Templates = ReadonlyMap<string, string>;

export interface StatedTemplates {
  /** The default. Null when there is none. */
  readonly chatTemplate: string | null;
  /** The others, by their names. */
  readonly named?: Readonly<Record<string, string>>;
}

const usual = 'default';
/** The variables that a conversation has, and the template that is made for them. */
const byVariable = { tools: 'tool_use', documents: 'rag' } as const;

/** A name is one short word. A template that is a single word would be the same for every conversation. */
const name = /^[\w.-]{1,64}$/;

/** The texts of a model's templates with names of their own. */
export function namedTemplates({ config }: FileInfo): Readonly<Record<string, string>> {
  const { chat_templates: named = {} } = (config?.['tokenizer'] ?? {}) as {
    readonly chat_templates?: Readonly<Record<string, string>>;
  };
  return named;
}

export function templatesOf({ chatTemplate, named = {} }: StatedTemplates): Templates {
  return new Map([
    ...(chatTemplate === null ? [] : [[usual, chatTemplate] as const]),
    ...Object.entries(named),
  ]);
}

/**
 * The template of this name, or `wanted` itself, which is a template then. Without it, the one for tools or documents if
 * there are some, else the default.
 *
 * Throws `NotFound` at `chatTemplate`. Undefined if the model has no template.
 */
export function chooseTemplate(
  templates: Templates,
  wanted: string | undefined,
  variables: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (wanted !== undefined) {
    const named = templates.get(wanted);
    if (named === undefined && typeof wanted === 'string' && name.test(wanted)) {
      throw notFound(`There is no template ${JSON.stringify(wanted)} for conversations`, templates);
    }
    return named ?? wanted;
  }
  const [fit] = Object.entries(byVariable)
    .filter(([variable]) => variables[variable] !== undefined && variables[variable] !== null)
    .map(([, each]) => templates.get(each))
    .filter((text) => text !== undefined);
  const found = fit ?? templates.get(usual);
  if (found === undefined && templates.size > 0) {
    throw notFound('The file has no default template for conversations', templates);
  }
  return found;
}

function notFound(what: string, templates: Templates): AmbryError {
  const names = [...templates.keys()];
  const has = names.length === 0 ? 'the file has none' : `the file has ${names.join(', ')}`;
  const message = `${what}; ${has}. Give one of these names, or the text of a template.`;
  return new AmbryError('NotFound', message, { path: 'chatTemplate' });
}
