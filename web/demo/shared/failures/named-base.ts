// The repository that an error names: it has the weights that the opened one lacks.

/** `owner/name`; null for any other error. The package writes it as `Open hf:owner/name`. */
export function namedBase(error: unknown): string | null {
  const { message } = Object(error) as { readonly message?: unknown };
  const named = /\bOpen hf:([\w.-]+\/[\w.-]+), or give the option followBase/.exec(String(message));
  return named?.[1] ?? null;
}
