// What an opened model is, by the labels of its classification head.
import { AmbryError } from '../base/errors.ts';
import type { ModelKind } from './kind.ts';
import type { OpenedModel } from './protocol.ts';

/** The kind by what the file says. One label makes an encoder a reranker, more make it a text classifier. `wanted` wins where
 *  the model can be that, too; otherwise it is refused. */
export function kindFor(opened: OpenedModel, wanted: ModelKind | undefined): ModelKind {
  const { kind, info } = opened;
  if (wanted === 'generator' && 'generator' in info) {
    return wanted;
  }
  if (kind === 'textClassifier') {
    return kind;
  }
  const labels = labelsOf(opened);
  if (labels && wanted !== 'encoder') {
    return kindByLabels(labels, wanted);
  }
  if (wanted === 'reranker' || wanted === 'textClassifier') {
    throw withoutHead(wanted);
  }
  if (wanted !== 'encoder' || kind !== 'generator') {
    return kind;
  }
  throw refused(
    'BadMagic',
    'The file holds a language model that states no embeddings. Open it as a generator, whose embed() takes a pooling.',
  );
}

function labelsOf({ info }: OpenedModel): readonly string[] | undefined {
  const head = info.config?.['classificationHead'];
  return (head as { readonly labels: readonly string[] } | undefined)?.labels;
}

function kindByLabels(labels: readonly string[], wanted: ModelKind | undefined): ModelKind {
  const { length } = labels;
  if (wanted === 'reranker' && length > 1) {
    const message = `The model is a text classifier: it has ${length} labels (${labels.join(', ')}) and no single score, so it cannot rank. Open it with the kind textClassifier.`;
    throw refused('Unsupported', message);
  }
  return wanted === 'textClassifier' || length > 1 ? 'textClassifier' : 'reranker';
}

const headOf: Readonly<Record<'reranker' | 'textClassifier', string>> = {
  reranker:
    'so it cannot rank. A reranker is a cross-encoder, such as a BertForSequenceClassification with one label.',
  textClassifier:
    'so it cannot classify texts. A text classifier is a supervised model of fastText, or an encoder such as a BertForSequenceClassification.',
};

function withoutHead(wanted: 'reranker' | 'textClassifier'): AmbryError {
  return refused('Unsupported', `The model has no classification head, ${headOf[wanted]}`);
}

function refused(code: 'Unsupported' | 'BadMagic', message: string): AmbryError {
  return new AmbryError(code, message, { path: 'options.kind' });
}
