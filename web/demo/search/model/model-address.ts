// What an address of a model is the address of.

const kHub = 'huggingface.co';
export const kWeights = 'model.safetensors';

export interface RemoteDirectory {
  readonly name: string;
  /** With a slash at the end. */
  readonly root: string;
  readonly weights: string;
  /** The address may as well be that of one file, which nothing in it tells. */
  readonly doubtful: boolean;
}

/** The directory that an address is of, or has its weights in; null for the address of another file. */
export function directoryAt(address: string): RemoteDirectory | null {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return null;
  }
  toHubFiles(url);
  const file = /[^/]*$/.exec(url.pathname)?.[0] ?? '';
  const isWeights = /\.safetensors$/i.test(file);
  if (!isWeights && /\.[a-z]\w*$/i.test(file)) {
    return null;
  }
  if (!isWeights && file !== '') {
    url.pathname += '/';
  }
  const inside = (name: string): string => {
    const made = new URL(name, url);
    made.search = url.search;
    return made.href;
  };
  return {
    name: nameOf(url),
    root: inside('.'),
    weights: isWeights ? url.href : inside(kWeights),
    doubtful: !isWeights && file !== '' && url.host !== kHub,
  };
}

/** The hub shows pages at the addresses that people copy; the files are at others. */
function toHubFiles(url: URL): void {
  if (url.host !== kHub) {
    return;
  }
  const [owner, model, view, revision = 'main', ...path] = url.pathname.split('/').filter(Boolean);
  if (owner !== undefined && model !== undefined && view !== 'resolve') {
    url.pathname = ['', owner, model, 'resolve', revision, ...path].join('/');
    url.pathname += /\.safetensors$/i.test(url.pathname) ? '' : '/';
  }
}

/** The last folder; on the hub it is a revision, and the model's name stands before that. */
function nameOf(url: URL): string {
  const folders = url.pathname.split('/').slice(1, -1);
  const at = folders.indexOf('resolve');
  return folders[at > 0 ? at - 1 : folders.length - 1] || url.host;
}
