/** A reason without its full stop, for a sentence that goes on or ends after it. */
export const withoutStop = (reason: string): string => reason.replace(/(?<!\.)\.$/, '');
