// File names: of an address, and of a repaired file.

/** The last part of an address. */
export const fileNameOf = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').pop() || url);

/** `folder/model.weights` → `model.fixed.weights` */
export function fixedName(name: string): string {
  const base = name.split('/').pop() ?? name;
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? `${base}.fixed` : `${base.slice(0, dot)}.fixed${base.slice(dot)}`;
}
