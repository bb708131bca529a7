// The type of a file, by its name.

/** The file name extension in lower case, with its dot. */
export function typeOf(path: string): string {
  return /[^/\\](\.[^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
