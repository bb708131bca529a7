// The prompts of the questions about a text. The template of the model writes the conversation with an answer of the assistant, and
// the prompt is what stands before this answer. So it has all that the model was trained to find there, such as the marks of
// reasoning that is left out.
import { AmbryError } from '../../base/errors.ts';
import { type DecideOptions, decideDefaults } from '../base/decision-types.ts';
import type { WireTextList } from '../base/protocol.ts';
import type { Conversation } from '../base/types.ts';
import type { AskedQuestion } from './asked-questions.ts';

/** The text of a conversation that goes on with nothing, and whether the special tokens stand around it. */
export type RenderPrompt = (
  conversation: Conversation & { readonly addGenerationPrompt: false },
  signal: AbortSignal | undefined,
) => Promise<{ readonly text: string; readonly special: boolean }>;

/** Stands for an answer. No model has this word. */
const probe = 'ambry-answer-8c1f';
const place = /\{(text|question|answers)\}/g;

interface TextPrompts {
  /** What the prompts about the text begin with, and the rest for each question. */
  readonly prompts: WireTextList;
  readonly special: boolean;
}

/** Makes the prompts of one text. Throws `BadValue` at `options.prompt` for one without its places. */
export function textPrompts(
  render: RenderPrompt,
  asked: readonly AskedQuestion[],
  { prompt = decideDefaults.prompt, system, template, variables = {}, signal }: DecideOptions,
): (text: string) => Promise<TextPrompts> {
  for (const name of ['{text}', '{question}']) {
    if (!prompt.includes(name)) {
      throw new AmbryError('BadValue', `The prompt has no ${name}.`, { path: 'options.prompt' });
    }
  }
  const before = system === undefined ? [] : [{ role: 'system', content: system }];
  return async (text) => {
    const texts: string[] = [];
    let isSpecial = true;
    for (const { question, hint: answers } of asked) {
      const values: Readonly<Record<string, string>> = { text, question, answers };
      // What is put in is not looked into again.
      const content = prompt.replace(place, (_, name: string) => values[name] as string);
      const said = [
        { role: 'user', content },
        { role: 'assistant', content: probe },
      ];
      const conversation = {
        messages: [...before, ...said],
        ...(template !== undefined && { template }),
        variables,
        addGenerationPrompt: false as const,
      };
      const { text: rendered, special } = await render(conversation, signal);
      const end = rendered.lastIndexOf(probe);
      if (end < 0) {
        throw noAnswer();
      }
      texts.push(rendered.slice(0, end));
      isSpecial = special;
    }
    const length = commonLength(texts);
    const [first = ''] = texts;
    const items = texts.map((each) => each.slice(length));
    return { prompts: { head: first.slice(0, length), items }, special: isSpecial };
  };
}

/** How many characters all texts begin with. A pair of surrogates is not cut. */
function commonLength([first = '', ...others]: readonly string[]): number {
  let length = first.length;
  for (const other of others) {
    let at = 0;
    while (at < length && first[at] === other[at]) {
      at++;
    }
    length = at;
  }
  return /[\ud800-\udbff]/.test(first[length - 1] ?? '') ? length - 1 : length;
}

function noAnswer(): AmbryError {
  const message = 'The chat template does not show what the assistant answers.';
  return new AmbryError('Unsupported', message, { path: 'chatTemplate' });
}
