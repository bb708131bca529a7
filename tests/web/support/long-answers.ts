// A model whose answers take so long that a test can leave or abort them on the busiest machine: about 20 s on an idle one.
import { languageFile } from './language-file.ts';

export const longAnswer = { temperature: 0, maxTokens: 8000, ignoreEos: true } as const;

/** A file of 11 MB. The time of an answer goes into the context of 8192 tokens. */
export const longAnswerFile = () => languageFile({ layers: 4, width: 256, context: 8192 });
