// The names that people and other programs have for the types of weights.

/** In each row all names mean the same. */
const synonyms: readonly (readonly string[])[] = [
  ['f32', 'fp32', 'float32', 'float', 'single', 'full'],
  ['f16', 'fp16', 'float16', 'half'],
  ['bf16', 'bfp16', 'bfloat16', 'brain_float16'],
  ['int8', 'i8', 's8', '8bit', '8_bit', 'int_8'],
  ['int4', 'i4', 's4', '4bit', '4_bit', 'int_4'],
  ['int5', 'i5', 's5', '5bit', '5_bit', 'int_5'],
];

const plain = (text: string) => text.trim().toLowerCase().replaceAll(/[-. ]/g, '_');

/** The choice that the text is, or means. */
export function choiceFor<const T extends string>(
  text: string,
  choices: readonly T[],
): T | undefined {
  const exact = choices.find((choice) => choice === text);
  if (exact !== undefined) {
    return exact;
  }
  const own = plain(text).replace(/^torch_/, '');
  const same = choices.filter((choice) => plain(choice) === own);
  const row = synonyms.find((names) => names.includes(own)) ?? [];
  const meant = same.length > 0 ? same : choices.filter((choice) => row.includes(choice));
  return meant.length === 1 ? meant[0] : undefined;
}

/** The choice that is most like a type of another program: the same kind in another size (`Q4_K_M`, `IQ4_XS`), else one of as
 *  many bits. */
export function nearestType<const T extends string>(
  text: string,
  choices: readonly T[],
): T | undefined {
  const own = plain(text);
  const kind = /^(q\d)_k/.exec(own)?.[0] ?? /^q\d(_\d)?/.exec(own)?.[0];
  const like = choices.find((choice) => choice === kind);
  if (like !== undefined) {
    return like;
  }
  const bits = /\d+/.exec(own)?.[0];
  const isBlocks = /^i?q\d/.test(own);
  const ofBits = choices.filter((choice) => bits && /\d+/.exec(choice)?.[0] === bits);
  return ofBits.find((choice) => choice.startsWith('q') === isBlocks) ?? ofBits[0];
}
