// What the address of the playground holds: the name of an example, or a code. A code of a link is shown, and runs only when
// the user says so.

import { packText, unpackText } from '../shared/base/pack-text.ts';
import { choice, type Parameters, text } from '../shared/page-address/parameters.ts';
import { examples } from './examples.ts';

/** Servers refuse longer addresses. */
export const maxLinkLength = 8192;
/** No code of a person is longer. Packed texts can become a thousand times as long. */
const maxCodeBytes = 200_000;

export interface PlaygroundLink {
  /** The name of an example. Empty for the first one. */
  readonly example: string;
  /** The packed code. */
  readonly code: string;
}

const [first] = examples;

export const playgroundParameters: Parameters<PlaygroundLink> = {
  example: choice<string>(
    'example',
    examples.map(({ name }) => name),
    first?.name ?? '',
  ),
  code: text('code', maxLinkLength + 1),
};

/** The code of a link. Null if it is damaged or too long. */
export async function codeIn({ example, code }: PlaygroundLink): Promise<string | null> {
  if (code === '') {
    return examples.find(({ name }) => name === example)?.code ?? '';
  }
  return code.length > maxLinkLength ? null : unpackText(code, maxCodeBytes);
}

/** The link to this code. An example that nobody has changed has a short one. */
export async function linkTo(code: string): Promise<PlaygroundLink> {
  const example = examples.find((known) => known.code === code);
  return example === undefined
    ? { example: playgroundParameters.example.absent, code: await packText(code) }
    : { example: example.name, code: '' };
}
