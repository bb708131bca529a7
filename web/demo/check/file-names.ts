// Names of files that come from elsewhere or go out.

/** The last part of an address. */
export const fileNameOf = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').pop() || url);

/** `model.weights` → `model.fixed.weights`, without the folders before it. */
export function fixedName(name: string): string {
  const base = name.split('/').pop() ?? name;
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? `${base}.fixed` : `${base.slice(0, dot)}.fixed${base.slice(dot)}`;
}
