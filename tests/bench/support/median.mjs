/** Of an odd number of them the middle one. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
