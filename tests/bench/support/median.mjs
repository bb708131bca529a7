/** The middle one of an odd number of numbers. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
