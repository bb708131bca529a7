// Models that are split into several files: `name-00001-of-00003.gguf`, as llama.cpp names them.
import { AmbryError } from '../base/errors.ts';
import type { ModelParts, ModelSource } from './base/types.ts';
import type { NamedSource, WireSource } from './base/wire.ts';
import { type PartName, partName, siblingName } from './directory/part-names.ts';

type Fetching = Pick<WireSource, 'cache' | 'stallTimeout' | 'sha256'>;

/** More parts than any model has. Keeps a hostile name from asking for a hundred thousand files. */
const mostParts = 512;

/** What a file name says; undefined unless it is one of several parts. */
function partOfSeveral(name: string): PartName | undefined {
  const part = partName(name);
  return part && part.number >= 1 && part.number <= part.count && part.count > 1 ? part : undefined;
}

function namesOf(part: PartName): string[] {
  if (part.count > mostParts) {
    const message = `A model in ${part.count} parts; at most ${mostParts} are supported.`;
    throw new AmbryError('LimitExceeded', message, { path: 'source' });
  }
  return Array.from({ length: part.count }, (_, i) => siblingName(part, i + 1));
}

/** All parts of the model, when a path or an address names one of them. They lie beside each other. */
export function withSiblings(wire: WireSource, fetching: Fetching): WireSource {
  const address = wire.kind === 'url' ? wire.url : wire.kind === 'path' ? wire.path : '';
  const end = wire.kind === 'url' ? address.search(/[?#]|$/) : address.length;
  const [folder, name] = parted(address.slice(0, end));
  const part = partOfSeveral(name);
  if (!part) {
    return { ...wire, ...fetching };
  }
  const siblings = namesOf(part).map((sibling): NamedSource => {
    const place = folder + sibling + address.slice(end);
    if (wire.kind !== 'url') {
      return { name: sibling, source: { kind: 'path', path: place } };
    }
    // The SHA-256 that the hub lists is of the named part alone.
    const { token } = wire.hub ?? {};
    const hub = token === undefined ? undefined : { token };
    return { name: sibling, source: { kind: 'url', url: place, hub } };
  });
  return joined(siblings, fetching);
}

/** The parts that the caller gives, in their order. Throws when one is missing, and for other files. */
export async function wireParts(
  given: ModelParts,
  wireOf: (file: ModelSource) => Promise<WireSource>,
  fetching: Fetching,
): Promise<WireSource> {
  const files = new Map<string, ModelSource>();
  for (const [path, file] of entriesOf(given)) {
    files.set(parted(path)[1], file);
  }
  const [first = ''] = files.keys();
  const part = partOfSeveral(first);
  if (!part) {
    throw noParts(first);
  }
  const names = namesOf(part);
  for (const name of files.keys()) {
    if (!names.includes(name)) {
      throw mismatch(name, first);
    }
  }
  const parts: NamedSource[] = [];
  for (const name of names) {
    const file = files.get(name);
    if (file === undefined) {
      throw missing(name, names.length);
    }
    parts.push({ name, source: await wireOf(file) });
  }
  return joined(parts, fetching);
}

function entriesOf(given: ModelParts): Iterable<[string, ModelSource]> {
  if (Array.isArray(given)) {
    return given.map((file: File) => [file.name ?? '', file]);
  }
  return given instanceof Map ? given : Object.entries(given as Record<string, ModelSource>);
}

function noParts(name: string): AmbryError {
  const found = name === '' ? 'The first file has no name.' : `Found ${name}.`;
  const message = `Several files can be opened together if they are the parts of one model, name-00001-of-0000N.gguf. ${found}`;
  return new AmbryError('Unsupported', message, { path: 'source' });
}

function mismatch(name: string, other: string): AmbryError {
  const message = `${name} is no part of the same model as ${other}. Give the parts of one model.`;
  return new AmbryError('Mismatch', message, { path: name });
}

function missing(name: string, count: number): AmbryError {
  const message = `A part of the model is missing: ${name}. Give all ${count} parts.`;
  return new AmbryError('NotFound', message, { path: name });
}

function joined(parts: readonly NamedSource[], { sha256, ...fetching }: Fetching): WireSource {
  if (sha256 !== undefined) {
    const message = `A SHA-256 is of one file, and this model has ${parts.length} parts.`;
    throw new AmbryError('Unsupported', message, { path: 'sha256' });
  }
  if (parts.some(({ source }) => source.kind === 'stream')) {
    const message =
      'A part of a split model is read by range, and a stream comes once. Give a Blob.';
    throw new AmbryError('Unsupported', message, { path: 'source' });
  }
  const wired = parts.map(({ name, source }) => ({ name, source: { ...source, ...fetching } }));
  return { kind: 'parts', parts: wired, ...fetching };
}

/** A path up to its last separator, and the rest. */
function parted(path: string): [string, string] {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return [path.slice(0, at), path.slice(at)];
}
