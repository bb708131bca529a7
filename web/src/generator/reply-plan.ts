// What a conversation asks of its answer: the tools to offer, the form, and what reads the answer. Pages fetch the code
// of both with their first conversation that needs it.
import { AmbryError } from '../base/errors.ts';
import type { AnswerFormat, Tool, ToolOptions } from './base/types.ts';
import type { ReplyReader } from './reply/reply-reader.ts';
import type { Conversations } from './templates/conversations.ts';

/** Makes what reads an answer. `shown` are the special tokens that it needs in the text. */
export interface MakeReader {
  (): ReplyReader;
  readonly shown: readonly string[];
}

export interface ReplyPlan {
  /** For the template. */
  readonly variables: { readonly tools?: readonly Tool[] };
  /** The form that the answer must have, which may be that of a call. */
  readonly format: { readonly format?: AnswerFormat };
  /** `rendered` is what the template wrote. Nothing reads an answer that is text as it is. */
  makeReader(rendered: string): Promise<MakeReader | undefined>;
}

export interface ReplyRequest extends ToolOptions {
  readonly template?: string | undefined;
  readonly format?: AnswerFormat | undefined;
  /** What the tools were given in: `prompt` or `options`. */
  readonly path: string;
}

/** Rejects with `Unsupported` at `chatTemplate` or `BadValue` at `…toolChoice` for tools that cannot be called. */
export async function planReply(
  conversations: Pick<Conversations, 'ofTools'>,
  { tools = [], toolChoice = 'auto', template: wanted, format, path }: ReplyRequest,
): Promise<ReplyPlan> {
  if (toolChoice === 'none' || (toolChoice === 'auto' && tools.length === 0)) {
    return {
      variables: {},
      format: format === undefined ? {} : { format },
      makeReader: async (rendered) => (format === undefined ? readerOf(rendered) : undefined),
    };
  }
  const { toolMarks, toolPlan, ToolText } = await import('./reply/tools.ts');
  const template = await conversations.ofTools(wanted);
  const plan = toolPlan({ tools, choice: toolChoice, template, format, path });
  return {
    variables: { tools: plan.tools },
    format: plan.format === undefined ? {} : { format: plan.format },
    makeReader: (rendered) =>
      readerOf(
        plan.format === undefined ? rendered : undefined,
        () => new ToolText(plan),
        plan.format === undefined ? toolMarks : [],
      ),
  };
}

/** A form begins with the first token, so no reasoning can stand before it: `prompt` is undefined then. */
async function readerOf(
  prompt: string | undefined,
  tools: () => InstanceType<typeof import('./reply/tools.ts').ToolText> | undefined = () =>
    undefined,
  marks: readonly string[] = [],
): Promise<MakeReader> {
  const { ReplyReader, shownMarks } = await import('./reply/reply-reader.ts');
  const make = () => new ReplyReader({ prompt, tools: tools() });
  return Object.assign(make, { shown: [...shownMarks(prompt), ...marks] });
}

/** Throws `Unsupported` at `prompts[i].toolChoice`. Prompts that run together have one form. */
export function checkOneForm(forms: readonly ReplyPlan['format'][]): void {
  const first = JSON.stringify(forms[0]);
  const other = forms.findIndex((form) => JSON.stringify(form) !== first);
  if (other < 0) {
    return;
  }
  const message =
    'Answers that are generated together have one form. Give each prompt the same tools and toolChoice.';
  throw new AmbryError('Unsupported', message, { path: `prompts[${other}].toolChoice` });
}
