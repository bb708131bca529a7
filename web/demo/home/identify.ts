// Sorts the given files into models, which are examined, and others, which are told by their first bytes.

import { formatAmount, formatBytes } from '../shared/base/format.ts';
import { hasExtension } from '../shared/files/file-extension.ts';
import { documentTypes } from '../shared/files/file-types.ts';
import type { GivenFiles, PathFile } from '../shared/files/given-files.ts';
import { type CheckSource, type GivenSource, givenSources } from '../shared/files/given-sources.ts';
import type { FileKind, Recognized } from '../shared/recognize/kinds.ts';
import { recognize } from '../shared/recognize/recognize.ts';
import { offersFor } from './offers.ts';
import type { Found } from './state.ts';

/** Without its id, which the session gives. */
export type Identified = Omit<Found, 'id'>;

export interface GivenModel {
  readonly name: string;
  readonly source: CheckSource;
  readonly given: GivenFiles;
}

interface Sorted {
  readonly models: readonly GivenModel[];
  readonly others: readonly Identified[];
  /** How many files were not looked at. */
  readonly left: number;
}

/** A folder can have any number of files. Documents are shown together; of the others, this many one by one. */
const mostShown = 12;
/** Only the names of further files are read. */
const mostRead = 500;
const largestPlan = 100_000;

const isNamedLikeDocument = (name: string): boolean =>
  documentTypes.some((type) => hasExtension(name, type));

const isDocument = (kind: FileKind): boolean => kind === 'document' || kind === 'text';

function filesOf(source: Exclude<CheckSource, string>, all: readonly PathFile[]): GivenFiles {
  const own = new Set(source instanceof Map ? source.values() : [source]);
  return { files: all.filter(({ file }) => own.has(file)), skipped: [] };
}

function documentsAs(documents: readonly PathFile[]): Identified[] {
  const [first] = documents;
  if (first === undefined) {
    return [];
  }
  const isOne = documents.length === 1;
  const bytes = documents.reduce((sum, { file }) => sum + file.size, 0);
  return [
    {
      name: isOne ? first.path : formatAmount(documents.length, 'document'),
      given: { files: documents, skipped: [] },
      what: isOne ? 'a document' : 'documents',
      details: formatBytes(bytes),
      verdict: 'other',
      lines: [],
      pages: offersFor('document', documents.length),
    },
  ];
}

function otherAs({ path, file }: PathFile, { kind, name, advice }: Recognized): Identified {
  const pages = offersFor(kind);
  return {
    name: path,
    given: { files: [{ path, file }], skipped: [] },
    what: name === '' ? 'a file of an unknown kind' : name,
    details: formatBytes(file.size),
    verdict: 'other',
    lines: pages.length > 0 ? [] : [`It is no model that Ambry can read. ${advice}`.trim()],
    pages,
  };
}

/** A plan says how the layers of a network follow one another, and labels name its classes. */
async function isCompanion(file: File): Promise<boolean> {
  if (file.name === 'labels.txt') {
    return true;
  }
  if (!/\.json$/i.test(file.name) || file.size > largestPlan) {
    return false;
  }
  return /"ops"\s*:/.test(await file.text());
}

/** The classify page gets a network with its plan and labels. */
function withCompanions(model: GivenModel, companions: readonly PathFile[]): GivenModel {
  const files = [...model.given.files, ...companions];
  return model.source instanceof File ? { ...model, given: { files, skipped: [] } } : model;
}

/** The reader of models has the better message for what is not recognized. */
const isForReader = ({ kind }: Recognized): boolean =>
  kind === 'model' || kind === 'weights' || kind === 'unknown';

export async function sortGiven({ files }: GivenFiles): Promise<Sorted> {
  const sources = givenSources(files);
  const models: GivenModel[] = [];
  const companions: PathFile[] = [];
  const documents: PathFile[] = [];
  const others: Identified[] = [];
  const asModel = ({ name, source }: GivenSource): void => {
    if (typeof source !== 'string') {
      models.push({ name, source, given: filesOf(source, files) });
    }
  };
  for (const given of sources.slice(0, mostRead)) {
    const { name, source } = given;
    if (!(source instanceof File)) {
      asModel(given);
      continue;
    }
    const recognized = await recognize(source);
    if (isDocument(recognized.kind)) {
      const list = (await isCompanion(source)) ? companions : documents;
      list.push({ path: name, file: source });
    } else if (isForReader(recognized)) {
      asModel(given);
    } else {
      others.push(otherAs({ path: name, file: source }, recognized));
    }
  }
  const unread = sources
    .slice(mostRead)
    .flatMap(({ name, source }) =>
      source instanceof File && isNamedLikeDocument(name) ? [{ path: name, file: source }] : [],
    );
  documents.push(...unread);
  const isAlone = models.length === 0;
  const texts = isAlone ? [...documents, ...companions] : documents;
  const shown = models.slice(0, mostShown).map((model) => withCompanions(model, companions));
  const shownOthers = others.slice(0, mostShown);
  const left =
    models.length -
    shown.length +
    (others.length - shownOthers.length) +
    Math.max(0, sources.length - mostRead - unread.length);
  return { models: shown, others: [...documentsAs(texts), ...shownOthers], left };
}
