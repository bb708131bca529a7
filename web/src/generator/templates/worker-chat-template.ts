// Renders chat templates, in a worker that holds nothing else: a template that hangs ends with its worker.
import { parse, tokenize } from '@huggingface/jinja';
import { AmbryError, messageOf } from '../../base/errors.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { ChatTemplateCalls } from '../base/protocol.ts';
import { limitExceeded } from './template-limit.ts';
import { levelsExceeded, TemplateBudget, templateLimits } from './worker-template-budget.ts';
import { BoundedInterpreter } from './worker-template-interpreter.ts';

/** Characters of the template's own message, or of the library's, which may have a whole text in it. */
const longestReason = 2000;

export function chatTemplateHandlers(): Handlers<ChatTemplateCalls> {
  return {
    prepareRendering: () => Promise.resolve(null),
    renderTemplate: async ({ template, names }) => render(template, names),
  };
}

function render(template: string, names: Readonly<Record<string, unknown>>): string {
  if (template.length > templateLimits.template) {
    throw limitExceeded(`of ${templateLimits.template} characters for a template`);
  }
  try {
    const program = parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true }));
    const { type, body } = program;
    return new BoundedInterpreter(new TemplateBudget(), names).render({ type, body });
  } catch (error) {
    if (error instanceof AmbryError) {
      throw error;
    }
    if (isStackOverflow(error)) {
      throw levelsExceeded();
    }
    const reason = messageOf(error).slice(0, longestReason);
    const message = `The template for conversations failed: ${reason}`;
    throw new AmbryError('BadValue', message, { path: 'chatTemplate', cause: error });
  }
}

/** Firefox calls it InternalError, other engines RangeError. */
function isStackOverflow(error: unknown): boolean {
  const isOfEngine = error instanceof RangeError || (error as Error)?.name === 'InternalError';
  return isOfEngine && /call stack|recursion/.test((error as Error).message);
}
