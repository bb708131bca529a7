// What a user may type or paste into the field for an address: an address, a host with a path, a name at the hub, or a page of the
// hub. Works without a page.

const hubHosts = /^(?:www\.)?(?:huggingface\.co|hf\.co)$/i;
const identifier = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const hubName = new RegExp(`^${identifier}/${identifier}(?:[@/].*)?$`);
/** Hosts of the own machine and of the own network mostly have no certificate. */
const localHost = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|[^.:]+:\d)/i;
/** What is before the first slash of a host: it has a port, or ends as names of hosts do. */
const host =
  /^(?:localhost|\[[0-9a-f:]+\]|[^/\s@]+\.(?:[a-z]{2,}|\d{1,3})|[^/\s@]+(?=:\d))(?::\d{1,5})?$/i;

/** Parts of the hub that are no models. */
const otherRooms = /^(?:datasets|spaces|docs|models|api|collections|papers|blog)$/;

/** Empty for a path that is not encoded as UTF-8. */
function partsOf(path: string): string[] {
  try {
    const parts = path.split('/').filter((part) => part !== '');
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return [];
  }
}

/** The name at the hub for a page of the hub, such as `hf:owner/name@main/file` for the page of a file. Null for what is none. */
export function hubNameOf(address: string): string | null {
  if (!URL.canParse(address)) {
    return null;
  }
  const { protocol, hostname, pathname } = new URL(address);
  const [owner = '', name = '', room = '', revision = '', ...path] = partsOf(pathname);
  if (!/^https?:$/.test(protocol) || !hubHosts.test(hostname) || otherRooms.test(owner)) {
    return null;
  }
  if (name === '' || !/^(?:tree|blob|)$/.test(room)) {
    return null;
  }
  const pinned =
    revision === '' || (revision === 'main' && path.length === 0) ? '' : `@${revision}`;
  return `hf:${[`${owner}/${name}${pinned}`, ...path].join('/')}`;
}

/** The address to open. Null for what cannot be one. */
export function givenAddress(typed: string): string | null {
  const text = typed.trim().replace(/^["'<“]+|[>"'”]+$/g, '');
  if (/^hf:/i.test(text)) {
    return `hf:${text.slice(3)}`;
  }
  if (/^https?:\/\//i.test(text)) {
    return URL.canParse(text) ? (hubNameOf(text) ?? text) : null;
  }
  const [first = ''] = text.split(/[/?#]/);
  if (host.test(first) && text.length > first.length) {
    const address = `${localHost.test(first) ? 'http' : 'https'}://${text}`;
    return URL.canParse(address) ? (hubNameOf(address) ?? address) : null;
  }
  return hubName.test(text) ? `hf:${text}` : null;
}

/** What the field says of a text that is no address. */
export const addressHelp =
  'Type an address (https://…), a host with a path (example.org/model.gguf) or a name at the hub (owner/name).';
