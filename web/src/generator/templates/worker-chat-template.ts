// Renders chat templates, in a worker that holds nothing else: a template that takes all memory ends with its worker.
import { AmbryError, messageOf } from '../../base/errors.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { ChatTemplateCalls } from '../base/protocol.ts';
import { TemplateError } from '../jinja/base/errors.ts';
import { levelsExceeded, limitExceeded, templateLimits } from '../jinja/base/limits.ts';
import { renderTemplate } from '../jinja/render.ts';

/** Characters of the template's own message. */
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
    return renderTemplate(template, names);
  } catch (error) {
    if (error instanceof AmbryError) {
      throw error;
    }
    if (isStackOverflow(error)) {
      throw levelsExceeded();
    }
    const reason = messageOf(error).slice(0, longestReason);
    const line = error instanceof TemplateError ? error.line : undefined;
    const where = line === undefined ? '' : ` in line ${line}`;
    const message = `The template for conversations failed${where}: ${reason}`;
    throw new AmbryError('BadValue', message, { path: 'chatTemplate', cause: error });
  }
}

/** Firefox calls it InternalError, other engines RangeError. */
function isStackOverflow(error: unknown): boolean {
  const isOfEngine = error instanceof RangeError || (error as Error)?.name === 'InternalError';
  return isOfEngine && /call stack|recursion/.test((error as Error).message);
}
