// Reads the XML of a part of a document while it is unpacked.
import { AmbryError } from '../../base/errors.ts';
import { type XmlHandler, XmlScanner } from './xml-scanner.ts';
import { unpacked, type ZipEntry } from './zip-entries.ts';

export interface ZipDocument {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly entries: ReadonlyMap<string, ZipEntry>;
}

/** A part may unpack to so many bytes. The text of a thousand pages takes about a tenth. */
const maxPartBytes = 1 << 28;
/** A part of more bytes than this may be so many times its packed size. Texts and tables are 10 to 50 times theirs. */
const freeBytes = 1 << 24;
const maxRatio = 200;
/** No document has so many levels, and who follows them may keep each. */
const maxDepth = 1000;

/** Reads a part of the document, and yields from time to time. Does nothing if the document does not have it. */
export function* xmlSteps(
  { path, bytes, entries }: ZipDocument,
  name: string,
  handler: XmlHandler,
): Generator<undefined> {
  const entry = entries.get(name);
  if (!entry) {
    return;
  }
  const scanner = new XmlScanner(limited(path, name, handler));
  const decoder = new TextDecoder();
  let size = 0;
  for (const part of unpacked(path, bytes, entry)) {
    size += part.length;
    if (size > Math.min(maxPartBytes, Math.max(freeBytes, maxRatio * entry.packedSize))) {
      throw tooLarge(path, name, size);
    }
    scanner.write(decoder.decode(part, { stream: true }));
    yield undefined;
  }
  scanner.end();
}

/** Reads a whole part. */
export function readXml(document: ZipDocument, name: string, handler: XmlHandler): void {
  for (const _ of xmlSteps(document, name, handler)) {
    // All of it is read.
  }
}

/** The handler, and an error for too many levels. */
function limited(path: string, name: string, handler: XmlHandler): XmlHandler {
  let depth = 0;
  return {
    open: (tag, attributes) => {
      if (++depth > maxDepth) {
        const message = `${path}: ${name} nests elements more than ${maxDepth} levels deep. Save it as .pdf or .txt.`;
        throw new AmbryError('LimitExceeded', message, { path: name });
      }
      handler.open(tag, attributes);
    },
    close: (tag) => {
      depth--;
      handler.close(tag);
    },
    text: handler.text,
  };
}

function tooLarge(path: string, name: string, size: number): AmbryError {
  const limit = `At most ${maxPartBytes >> 20} MB are read, and ${maxRatio} times the packed size`;
  const message = `${path}: ${name} unpacks to ${size >> 20} MB and more. ${limit}. Split the document, or save it as .txt.`;
  return new AmbryError('LimitExceeded', message, { path: name });
}
