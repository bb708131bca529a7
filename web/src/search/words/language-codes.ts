// Language tags, such as `de-AT`, and the codes by which words/languages.ts has the languages.
import { AmbryError, type ErrorPlace } from '../../base/errors.ts';
import { languageOf } from './languages.ts';

/** The codes of one language tag or of several. BadValue for a text that is no tag. */
export function languageCodes(language: string | readonly string[], place: ErrorPlace): string[] {
  const tags = [language].flat();
  if (tags.length > 0) {
    return [...new Set(tags.map((tag) => languageCode(tag, place)))];
  }
  throw new AmbryError('BadValue', 'State a language, or leave the option out.', place);
}

function languageCode(tag: string, place: ErrorPlace): string {
  const code = languageOf(tag);
  if (code !== undefined) {
    return code;
  }
  const message = `"${tag}" is no language tag. Use one such as "de" or "pt-BR".`;
  throw new AmbryError('BadValue', message, place);
}
