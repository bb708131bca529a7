// A small language model with made-up weights that can be made to think.
import { open } from 'ambry';
import { chatTemplate, languageFile, vocabulary } from '../files/language-file.ts';

/** Ends with what begins the reasoning if a variable asks for it. */
const template = `${chatTemplate}{% if think %}<think>{% endif %}`;
const moreTokens = ['<think>\nSo it is.\n</think>\n\nYes.', 'So it is.\n</think>\nYes.'];

export const openThinker = () =>
  open(languageFile({ context: 512, template, moreTokens }), { kind: 'generator' });

const saying = (token: number) => ({
  logitBias: { [vocabulary + token]: 1e5 },
  temperature: 0,
  maxTokens: 1,
});

/** Ways to make it write "Yes." after the reasoning "So it is." */
export const thoughts = [
  { variables: {}, options: saying(0) },
  { variables: { think: true }, options: saying(1) },
] as const;
