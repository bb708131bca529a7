// What the pairs of all features share.

/** Numbers between -1 and 1, the same in every run. */
export function filled(numbers) {
  let state = 1;
  for (let i = 0; i < numbers.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = state / 2 ** 31 - 1;
  }
}

/** Two functions that must give the same. */
export function same(before, after) {
  const [first, second] = [before(), after()];
  // A 64-bit address is a BigInt.
  if (Number(first) !== Number(second)) {
    throw new Error(`${first} and ${second} differ`);
  }
  return [before, after];
}
