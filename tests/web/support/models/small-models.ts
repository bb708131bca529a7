// Opens small models with made-up weights by the public names of the package, as other packages do.
import { type ModelKind, type ModelOfKind, open } from 'ambry';
import { headDirectory, nliLabels } from '../directories/head-directories.ts';
import { pylateDirectory } from '../directories/late-directories.ts';
import { type Files, onDisk } from '../directories/model-directories.ts';
import { spladeDirectory } from '../directories/sparse-directories.ts';
import { taggerDirectory } from '../directories/tagger-directories.ts';
import { longAnswerFile } from '../long-answers.ts';
import { smallModel } from '../package.ts';
import { callerFile, chatFile, hermesFile, llamaFile } from './tool-models.ts';

export const openChat = () => open(chatFile(), { kind: 'generator' });
export const openHermes = () => open(hermesFile(), { kind: 'generator' });
export const openCaller = () => open(callerFile(), { kind: 'generator' });
export const openLlama = () => open(llamaFile(), { kind: 'generator' });
export const openLong = () => open(longAnswerFile(), { kind: 'generator', threads: 1 });
export const openEncoder = async () => open(await smallModel(), { kind: 'encoder' });
export const openReranker = () => openDirectory(headDirectory(), 'reranker');
export const openTextClassifier = () =>
  openDirectory(headDirectory({ labels: nliLabels }), 'textClassifier');
export const openTokenClassifier = () => openDirectory(taggerDirectory(), 'tokenClassifier');
export const openSparseEncoder = () => openDirectory(spladeDirectory(), 'sparseEncoder');
export const openLate = () => openDirectory(pylateDirectory(), 'encoder');

async function openDirectory<K extends ModelKind>(files: Files, kind: K): Promise<ModelOfKind[K]> {
  const { path, remove } = await onDisk(files);
  try {
    return await open({ path }, { kind });
  } finally {
    await remove();
  }
}
