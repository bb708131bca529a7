// Explains why files could not be opened: what they are, and which page opens them. A page asks after its reader has failed,
// so this never stands between a file and a reader that can read it.

import { AmbryError, runReport } from 'ambry';
import { namedBase } from '../failures/named-base.ts';
import { plainOfModel } from '../failures/plain.ts';
import type { GivenFiles } from '../files/given-files.ts';
import { filesIn, modelFolder } from '../files/model-files.ts';
import { handOver } from '../handover/handover.ts';
import type { Failure } from '../jobs/jobs.ts';
import {
  type FilePage,
  pageName,
  pathOf,
  refusalOf,
  runsOn,
  useOf,
  useOfModel,
} from '../recognize/file-pages.ts';
import { type ModelKind, modelName, type Recognized } from '../recognize/kinds.ts';
import { runsHere } from '../recognize/only-stops.ts';
import { recognize } from '../recognize/recognize.ts';
import { siteRoot } from '../site/site-root.ts';

/** What is added to a failure. */
export type Explanation = Pick<Failure, 'plain' | 'remedy'>;

/** Codes of errors that say nothing about the file. */
const notOfFile = new Set(['Http', 'Crashed', 'Cancelled']);
/** Codes of damage, which the check page shows in its place. */
const damage = new Set(['Truncated', 'BadValue', 'Overflow', 'Mismatch']);

/** What the user gave to the page: files, or an address. */
type Given = GivenFiles | string;

function goTo(page: FilePage, given: Given): void {
  if (typeof given === 'string') {
    const query = new URLSearchParams({ url: given });
    location.assign(new URL(`${pathOf(page)}?${query}`, siteRoot()));
  } else {
    void handOver(given, pathOf(page));
  }
}

function opensOn(page: FilePage, given: Given): NonNullable<Failure['remedy']> {
  return { label: `Open it on the ${pageName(page)} page`, act: () => goTo(page, given) };
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

function otherModel(kind: ModelKind, given: Given): Explanation {
  const { page, sentence } = useOfModel(kind);
  return {
    plain: { sentence: `This is ${modelName(kind)}.`, advice: sentence },
    remedy: opensOn(page, given),
  };
}

const onlyWeights = {
  sentence: 'These are only the weights of a model.',
  advice:
    'Choose the folder that they are in. It also has the description of the model (config.json) and the tokenizer.',
};

function sourceOf(given: Given) {
  if (typeof given === 'string') {
    return given;
  }
  const { files } = given;
  const [first] = files;
  return first && files.length === 1
    ? first.file
    : (modelFolder(files) ?? filesIn(files, '')).files;
}

/** As what the model runs on any page; null if it does not, or if nothing tells it. */
async function kindOf(given: Given): Promise<ModelKind | null> {
  const source = sourceOf(given);
  if (source instanceof Map && source.size === 0) {
    return null;
  }
  try {
    const report = await runReport(source);
    return runsHere(report) ? report.kind : null;
  } catch {
    return null;
  }
}

async function ofFile(error: AmbryError, given: GivenFiles, page: FilePage): Promise<Explanation> {
  const [only] = given.files;
  const found = given.files.length === 1 && only ? await recognize(only.file) : null;
  const isModel = found === null || ['model', 'weights', 'unknown'].includes(found.kind);
  if (found !== null && !isModel) {
    // The page itself says what is wrong with a file of its own kind.
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

/** What the error says of a model. */
function explainModel(error: unknown, bytes?: number): Explanation {
  const plain = plainOfModel(error, undefined, bytes);
  return plain === null ? {} : { plain };
}

/** What to add to the failure of opening a model from this address on this page. */
export async function explainUrl(
  error: unknown,
  url: string,
  page: FilePage,
): Promise<Explanation> {
  const plain = explainModel(error);
  const base = namedBase(error);
  if (base !== null) {
    return { ...plain, remedy: { label: `Open ${base}`, act: () => goTo(page, `hf:${base}`) } };
  }
  if (!(error instanceof AmbryError) || notOfFile.has(error.code)) {
    return plain;
  }
  const kind = await kindOf(url);
  return kind === null || runsOn(kind, page) ? plain : otherModel(kind, url);
}

/** What to add to the failure of opening these files on this page. */
export async function explainFiles(
  error: unknown,
  given: GivenFiles,
  page: FilePage,
): Promise<Explanation> {
  const [only, ...others] = given.files;
  const plain = explainModel(error, others.length === 0 ? only?.file.size : undefined);
  if (!(error instanceof AmbryError) || notOfFile.has(error.code)) {
    return plain;
  }
  // A file that can no longer be read has its own message.
  const found = await ofFile(error, given, page).catch(() => ({}));
  return { ...plain, ...found };
}
