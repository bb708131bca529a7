// Functions by the types that cross: string, number, boolean, Uint8Array.

export interface Signature {
  readonly parameters: readonly string[];
  readonly result: string;
}

export const textOf = ({ parameters, result }: Signature): string =>
  `(${parameters.join(', ')}) => ${result}`;

/** A line for each function whose binding and declaration differ. */
export function differences(
  bound: ReadonlyMap<string, Signature>,
  declared: ReadonlyMap<string, Signature>,
): string[] {
  const say = (verb: string, signature: Signature | undefined) =>
    signature ? `${verb} as ${textOf(signature)}` : `not ${verb}`;
  const names = [...new Set([...bound.keys(), ...declared.keys()])].sort();
  return names.flatMap((name) => {
    const [ours, theirs] = [bound.get(name), declared.get(name)];
    if (ours && theirs && textOf(ours) === textOf(theirs)) {
      return [];
    }
    return [`${name} is ${say('bound', ours)}, and ${say('declared', theirs)}`];
  });
}
