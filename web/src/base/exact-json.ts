// JSON with all digits of its integers.

/** The JSON text of a value in which integers may be `bigint`. JSON has no limit on digits. */
export function exactJson(value: unknown, space?: number): string {
  let hasLarge = false;
  // No text of the value can hold it by intent.
  const mark = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const text = JSON.stringify(
    value,
    (_, each: unknown) => {
      if (typeof each !== 'bigint') {
        return each;
      }
      hasLarge = true;
      return `${mark}:${each}`;
    },
    space,
  );
  return hasLarge ? text.replaceAll(new RegExp(`"${mark}:(-?\\d+)"`, 'g'), '$1') : text;
}
