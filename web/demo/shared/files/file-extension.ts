// Extensions of file names, in lower case and with their dot.

export const hasExtension = (name: string, extension: string): boolean =>
  name.toLowerCase().endsWith(extension);

/** The name without the first of the extensions that it has. */
export function withoutExtension(name: string, ...extensions: readonly string[]): string {
  const found = extensions.find((extension) => hasExtension(name, extension)) ?? '';
  return name.slice(0, name.length - found.length);
}
