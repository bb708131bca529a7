// File names: of an address, and of a repaired file.

/** What `hf:owner/name@revision/file` has between the name and the file. Some revisions have slashes. */
const hubRevision = /@(?:refs\/(?:pr|convert)\/)?[^/]*/;

/** The name of the file or the folder at an address or at the hub: the last part, without its query. */
export function fileNameOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const path = url?.pathname ?? address;
  const parts = (url?.protocol === 'hf:' ? path.replace(hubRevision, '') : path)
    .split('/')
    .filter(Boolean);
  // The address of a folder at the hub has a revision, and the model's name comes before it.
  const resolved = path.endsWith('/') ? parts.indexOf('resolve') : -1;
  const name = resolved > 0 ? parts[resolved - 1] : parts.at(-1);
  return name === undefined ? url?.host || address : unescaped(name);
}

/** The part stays as it is if it has no valid escapes, or if it would become several parts or unreadable. */
function unescaped(part: string): string {
  try {
    const text = decodeURIComponent(part);
    return /[\\/\p{Cc}\p{Cf}]/u.test(text) ? part : text;
  } catch {
    return part;
  }
}

/** `folder/model.weights` → `model.fixed.weights` */
export function fixedName(name: string): string {
  const base = name.split('/').pop() ?? name;
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? `${base}.fixed` : `${base.slice(0, dot)}.fixed${base.slice(dot)}`;
}
