// Which coding of an answer a request asks for (RFC 9110, 12.5.3).

export type Coding = 'br' | 'gzip';

/** In the order of preference: the smaller answer first. */
const codings: readonly Coding[] = ['br', 'gzip'];
/** Browsers send about 30 characters. A longer list is not read. */
const mostCharacters = 1024;
const element = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The weights of the names in the list. What is no element of such a list is left out. */
function weightsIn(list: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of list.split(',')) {
    const [, name, weight = '1'] = element.exec(text.trim()) ?? [];
    if (name !== undefined) {
      weights.set(name.toLowerCase().replace(/^x-/, ''), Number(weight));
    }
  }
  return weights;
}

/** Undefined for an answer as it is: nothing else is accepted, or nothing is preferred to it. */
export function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined || accepted.length > mostCharacters) {
    return undefined;
  }
  const weights = weightsIn(accepted);
  const others = weights.get('*') ?? 0;
  const weightOf = (coding: Coding): number => weights.get(coding) ?? others;
  const best = codings.reduce((one, next) => (weightOf(next) > weightOf(one) ? next : one));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}
