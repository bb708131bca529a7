// Shares as people read them.

export const percentOf = (share: number): string => `${(100 * share).toFixed(1)} %`;
