// Values as JSON for people. Metadata may have integers that no number of JavaScript holds; they become texts.

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Indented, with a line end. */
export const jsonOf = (value: unknown): string => `${JSON.stringify(value, digits, 2)}\n`;

/** On one line; '' for what JSON has no form for. */
export const jsonLine = (value: unknown): string => JSON.stringify(value, digits) ?? '';
