// The options of a session, checked.
import { AmbryError } from '../base/errors.ts';
import { findWrongOption } from '../base/kinds.ts';
import { sessionOptionNames } from './base/option-names.ts';
import {
  type GenerateOptions,
  type RestoreOptions,
  type SessionOptions,
  type ToolOptions,
  type TrimPolicy,
  trimPolicies,
} from './base/types.ts';

export interface SessionSettings {
  /** For the template: `{template}` or nothing. */
  readonly template: { readonly template?: string };
  readonly variables: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly trim: TrimPolicy;
  readonly tools: ToolOptions;
  /** For `send`. */
  readonly defaults: GenerateOptions;
}

/** Throws `BadValue` at an option that a session does not have, or whose value it does not take. It throws at once, so without
 *  the code that finds the name that is meant. */
export function checkNames(options: SessionOptions): void {
  const wrong = findWrongOption(options, sessionOptionNames);
  if (!wrong) {
    return;
  }
  if ('name' in wrong) {
    throw badOption(wrong.name, `There is no option "${wrong.name}".`);
  }
  throw new AmbryError('BadValue', `Must be ${wrong.kind.words}.`, { path: wrong.path });
}

/** Throws `BadValue` at `options…`. The core checks the options of `generate`. */
export function settingsOfSession(options: RestoreOptions): SessionSettings {
  const { template, variables, trim = trimPolicies[0], tools, toolChoice, ...defaults } = options;
  // A session lives longer than a call.
  for (const name of ['signal', 'onProgress']) {
    if (name in defaults) {
      throw badOption(name, 'Give it to send().');
    }
  }
  if (!trimPolicies.includes(trim)) {
    throw badOption('trim', `Must be ${trimPolicies.join(' or ')}, not ${String(trim)}.`);
  }
  if (template !== undefined && typeof template !== 'string') {
    throw badOption('template', `Must be a text, not ${typeof template}.`);
  }
  if (variables !== undefined && (typeof variables !== 'object' || variables === null)) {
    throw badOption('variables', 'Must be an object.');
  }
  return {
    template: template === undefined ? {} : { template },
    variables: variables === undefined ? {} : { variables },
    trim,
    tools: toolsOf({ tools, toolChoice }),
    defaults,
  };
}

/** The options that give these settings. */
export function optionsOfSession({
  template,
  variables,
  trim,
  tools,
  defaults,
}: SessionSettings): RestoreOptions {
  return { ...defaults, ...template, ...variables, ...tools, trim };
}

/** The options about tools that are given. One that is undefined is as good as absent. */
export function toolsOf({
  tools,
  toolChoice,
}: Partial<Record<keyof ToolOptions, unknown>>): ToolOptions {
  return {
    ...(tools !== undefined && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
  } as ToolOptions;
}

/** Throws `BadValue` at `options.n`. Several answers to one message would be several conversations. */
export function checkOneAnswer(
  options: GenerateOptions,
  message = 'A session gives one answer. Fork it for others.',
): void {
  if (options.n !== undefined && options.n !== 1) {
    throw badOption('n', message);
  }
}

function badOption(name: string, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path: `options.${name}` });
}
