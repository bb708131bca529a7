// How large a trained classifier may be, when it is made and when it is read.

export const mostLabels = 10_000;
/** In UTF-16 code units. */
export const mostLabelLength = 200;
/** The numbers of all labels together. Training keeps some twenty copies of them in double precision. */
export const mostWeights = 1 << 20;
