// Small language models with made-up weights, with and without tools.
import { chatTemplate, languageFile, vocabulary } from '../files/language-file.ts';

/** A token whose text is a call, after some words. `logitBias` can make a model choose it. */
export const callToken = vocabulary;
/** The text beside the call, and the call. */
export const calledText = 'Let me see.';
export const calledTool = { name: 'add', arguments: { n: 1 } };
const callText = `${calledText}\n<tool_call>\n${JSON.stringify(calledTool)}\n</tool_call>`;

const hermesTemplate = `${chatTemplate}{% if tools %}Write <tool_call> for {% for tool in tools %}{{ tool.function.name }};{% endfor %}{% endif %}`;
const llamaTemplate = `${chatTemplate}{% if tools %}Answer as {"parameters"}.{% endif %}`;

export const chatFile = () => languageFile({ context: 512 });
export const hermesFile = () =>
  languageFile({ context: 512, template: hermesTemplate, moreTokens: [callText] });
export const llamaFile = () => languageFile({ context: 512, template: llamaTemplate });

/** Most of its tokens are calls, so that nearly every answer is one at a high temperature. */
export const callerFile = () =>
  languageFile({
    context: 512,
    template: hermesTemplate,
    moreTokens: Array.from({ length: 4000 }, () => callText),
  });
