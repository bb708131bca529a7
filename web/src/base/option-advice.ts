// Says which option was meant.
import { asQuestion, namesMeant } from './did-you-mean.ts';
import { needless, otherOptions } from './other-words.ts';

/**
 * What to add to the error for an option that is unknown, with a space before it: the option that was meant, by its spelling or
 * by the name that another library has for it, or why there is none. Empty where nothing is near. Names may have camel case or
 * snake case.
 *
 * @example
 * import { optionAdvice } from 'ambry/tables';
 *
 * optionAdvice('max_new_tokens', ['maxTokens', 'stop']); // ' Did you mean "maxTokens"?'
 */
export function optionAdvice(name: string, known: readonly string[]): string {
  const word = inCamelCase(name);
  const own = new Map(known.map((each) => [inCamelCase(each), each]));
  const meant = namesMeant(word, [...own.keys()], otherOptions);
  const reason = Object.keys(needless).find((why) => needless[why]?.includes(word));
  return asQuestion(meant.map((each) => own.get(each) ?? each)) || (reason ? ` ${reason}` : '');
}

const inCamelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
