// A value as JSON for people: indented, with a line end.

export const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
