// Prompts on their way to the worker, with how their answers are read.
import { isObject } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import { randomSeed } from './answer.ts';
import { promptNames } from './base/option-names.ts';
import type { WirePrompt, WireRequest } from './base/protocol.ts';
import type { AnswerFormat, Conversation, GenerateAllOptions, Prompt } from './base/types.ts';
import { checkedIds, invalidPrompt, isIds, notPrompts, ofPrompt } from './check-prompts.ts';
import { checkOneForm, type MakeReader, type ReplyPlan, type ReplyRequest } from './reply-plan.ts';

/** What prompts need of their model. */
export interface PromptModel {
  planReply(request: ReplyRequest): Promise<ReplyPlan>;
  render(
    conversation: Conversation,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly text: string; readonly special: boolean }>;
}

interface PreparedPrompt extends Pick<ReplyPlan, 'format'> {
  readonly prompt: WirePrompt;
  readonly reader?: MakeReader;
}

export async function preparePrompts(
  model: PromptModel,
  prompts: readonly Prompt[],
  { seed, format }: GenerateAllOptions,
  signal: AbortSignal,
) {
  if (!Array.isArray(prompts)) {
    throw notPrompts();
  }
  const requests: WireRequest[] = [];
  const readers: (MakeReader | undefined)[] = [];
  const forms: PreparedPrompt['format'][] = [];
  for (const [i, prompt] of prompts.entries()) {
    const prepared = await preparePrompt(model, prompt, format, signal).catch((error) => {
      throw ofPrompt(i, error);
    });
    requests.push({ ...prepared.prompt, seed: seed ?? randomSeed() });
    readers.push(prepared.reader);
    forms.push(prepared.format);
  }
  checkOneForm(forms);
  return { prompt: requests, readers, ...forms[0] };
}

/** The prompt for the worker, and how its answer is read. */
export async function preparePrompt(
  model: PromptModel,
  prompt: Prompt,
  format: AnswerFormat | undefined,
  signal: AbortSignal | undefined,
): Promise<PreparedPrompt> {
  const form = format === undefined ? {} : { format };
  if (typeof prompt === 'string') {
    return { prompt: { text: prompt, special: true }, format: form };
  }
  if (isIds(prompt)) {
    return { prompt: { ids: checkedIds(prompt) }, format: form };
  }
  if (!isObject(prompt)) {
    throw invalidPrompt(prompt);
  }
  await refuseUnknown(prompt, promptNames, 'prompt');
  if (!prompt.messages) {
    throw invalidPrompt(prompt);
  }
  const plan = await model.planReply({ ...prompt, format, path: 'prompt' });
  const { messages, template, variables } = prompt;
  const conversation = {
    messages,
    ...(template !== undefined && { template }),
    variables: { ...variables, ...plan.variables },
  };
  const rendered = await model.render(conversation, signal);
  const reader = await plan.makeReader(rendered.text);
  return { prompt: rendered, format: plan.format, ...(reader && { reader }) };
}
