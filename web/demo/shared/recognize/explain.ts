// Explains why files could not be opened: what they are, and which page opens them. A page asks after its reader has failed,
// so this never stands between a file and a reader that can read it.

import { AmbryError, runReport } from 'ambry';
import { plainOfModel } from '../failures/plain.ts';
import type { GivenFiles } from '../given-files.ts';
import { handOver } from '../handover.ts';
import type { Failure } from '../jobs.ts';
import { filesIn, modelFolder } from '../model-files.ts';
import {
  type FilePage,
  pageName,
  pathOf,
  runsOn,
  useOf,
  useOfModel,
  wantedBy,
} from './file-pages.ts';
import { type ModelKind, modelNames, type Recognized } from './kinds.ts';
import { recognize } from './recognize.ts';

/** What is added to a failure. */
export type Explanation = Pick<Failure, 'plain' | 'remedy'>;

/** Codes of errors that say nothing about the file. */
const notOfFile = new Set(['Http', 'Crashed', 'Cancelled']);
/** Codes of damage, which the check page shows in its place. */
const damage = new Set(['Truncated', 'BadValue', 'Overflow', 'Mismatch']);

function opensOn(page: FilePage, given: GivenFiles): NonNullable<Failure['remedy']> {
  return {
    label: `Open it on the ${pageName(page)} page`,
    act: () => void handOver(given, pathOf(page)),
  };
}

/** "This is a PNG picture, not a model." */
export function refusalOf(found: Recognized, page: FilePage): string {
  return found.kind === 'empty'
    ? 'The file is empty.'
    : `This is ${found.name}, not ${wantedBy(page)}.`;
}

/** Says what the file is and where it opens. */
function elsewhere(found: Recognized, given: GivenFiles, page: FilePage): Explanation {
  const use = useOf(found);
  const other = use !== null && use.page !== page ? use : null;
  const advice = [other?.sentence ?? '', found.advice].filter((text) => text !== '').join(' ');
  return {
    plain: { sentence: refusalOf(found, page), advice },
    ...(other !== null && { remedy: opensOn(other.page, given) }),
  };
}

function otherModel(kind: ModelKind, given: GivenFiles): Explanation {
  const { page, sentence } = useOfModel(kind);
  return {
    plain: { sentence: `This is ${modelNames[kind]}.`, advice: sentence },
    remedy: opensOn(page, given),
  };
}

const onlyWeights = {
  sentence: 'These are only the weights of a model.',
  advice:
    'Choose the folder that they are in. It also has the description of the model (config.json) and the tokenizer.',
};

/** As what the files run on any page; null if they do not, or if nothing tells it. */
async function kindOf({ files }: GivenFiles): Promise<ModelKind | null> {
  const [first] = files;
  if (first === undefined) {
    return null;
  }
  const source = files.length === 1 ? first.file : (modelFolder(files) ?? filesIn(files, '')).files;
  try {
    const { kind, obstacle } = await runReport(source);
    return obstacle === null ? kind : null;
  } catch {
    return null;
  }
}

async function ofFile(error: AmbryError, given: GivenFiles, page: FilePage): Promise<Explanation> {
  const [only] = given.files;
  const found = given.files.length === 1 && only ? await recognize(only.file) : null;
  const isModel = found === null || ['model', 'weights', 'unknown'].includes(found.kind);
  if (found !== null && !isModel) {
    // Of its own files, the page says itself what is wrong.
    return useOf(found)?.page === page ? {} : elsewhere(found, given, page);
  }
  const kind = (await kindOf(given)) ?? found?.model ?? null;
  if (kind !== null && !runsOn(kind, page)) {
    return otherModel(kind, given);
  }
  if (found?.kind === 'weights' && kind === null && page !== 'check' && page !== 'convert') {
    return { plain: onlyWeights };
  }
  const canCheck = damage.has(error.code) && error.byteOffset !== undefined && page !== 'check';
  return canCheck ? { remedy: opensOn('check', given) } : {};
}

/** What to add to the failure of opening a model from an address. */
export function explainModel(error: unknown): Explanation {
  const plain = plainOfModel(error);
  return plain === null ? {} : { plain };
}

/** What to add to the failure of opening these files on this page. */
export async function explainFiles(
  error: unknown,
  given: GivenFiles,
  page: FilePage,
): Promise<Explanation> {
  const plain = explainModel(error);
  if (!(error instanceof AmbryError) || notOfFile.has(error.code)) {
    return plain;
  }
  // A file that can no longer be read has its own message.
  const found = await ofFile(error, given, page).catch(() => ({}));
  return { ...plain, ...found };
}
