// File names: of an address, and of a repaired file.

/** The last part of an address. */
export function fileNameOf(url: string): string {
  const name = new URL(url).pathname.split('/').pop() || url;
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that is no escape.
    return name;
  }
}

/** `folder/model.weights` → `model.fixed.weights` */
export function fixedName(name: string): string {
  const base = name.split('/').pop() ?? name;
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? `${base}.fixed` : `${base.slice(0, dot)}.fixed${base.slice(dot)}`;
}
