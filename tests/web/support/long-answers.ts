// A model whose answers take so long that a test can leave or abort them on a busy machine: 26 s on an idle one
// with two cores.
import { languageFile } from './files/language-file.ts';

export const longAnswer = { temperature: 0, maxTokens: 8000, ignoreEos: true } as const;

/** A file of 8 MB, with a context of 8192 tokens. */
export const longAnswerFile = () => languageFile({ layers: 4, width: 256, context: 8192 });
