// Ids that the interfaces put into their answers.

/** Such as `call_…`; letters and digits only, because some clients check that. */
export function idOf(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
}
