// What an opened model is, by the labels of its classification head.
import { AmbryError } from '../base/errors.ts';
import type { HeadKind, ModelKind } from './kind.ts';
import type { OpenedModel } from './protocol.ts';

/** The kind by what the file says. One label makes an encoder a reranker, more make it a text classifier; a head for tokens says
 *  itself what it is for. `wanted` wins where the model can be that, too; otherwise it is refused. */
export function kindFor(opened: OpenedModel, wanted: ModelKind | undefined): ModelKind {
  const { kind, info } = opened;
  if (wanted === 'generator' && 'generator' in info) {
    return wanted;
  }
  if (kind === 'textClassifier') {
    return kind;
  }
  const { classificationHead: head, tokenHead, reranker, allOutputs } = headsOf(opened);
  if (kind === 'generator' && reranker && (wanted === undefined || wanted === 'reranker')) {
    return 'reranker';
  }
  if (kind === 'generator' && wanted === 'reranker') {
    throw refused('Unsupported', noRanking);
  }
  const byItself = tokenHead && wanted === undefined && !allOutputs && isOpenedAs(tokenHead);
  if (tokenHead && (wanted === tokenHead.kind || byItself)) {
    return tokenHead.kind;
  }
  if (head && (wanted === undefined || wanted === 'reranker' || wanted === 'textClassifier')) {
    return kindByLabels(head.labels, wanted);
  }
  if (wanted !== undefined && isNamedByHead(wanted)) {
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

interface Heads {
  readonly classificationHead?: { readonly labels: readonly string[] };
  readonly tokenHead?: { readonly kind: TokenKind };
  /** Whether the model gives vectors of texts besides, which make it an encoder. */
  readonly allOutputs?: boolean;
  /** How a language model ranks. */
  readonly reranker?: object;
}
type TokenKind = Exclude<HeadKind, 'reranker'>;

function headsOf({ info }: OpenedModel): Heads {
  return (info.config ?? {}) as Heads;
}

/** A masked language model is an encoder, unless somebody asks for more. */
function isOpenedAs({ kind }: { readonly kind: TokenKind }): boolean {
  return kind !== 'fillMask';
}

function kindByLabels(labels: readonly string[], wanted: ModelKind | undefined): ModelKind {
  const { length } = labels;
  if (wanted === 'reranker' && length > 1) {
    const message = `The model is a text classifier: it has ${length} labels (${labels.join(', ')}) and no single score, so it cannot rank. Open it with the kind textClassifier.`;
    throw refused('Unsupported', message);
  }
  return wanted === 'textClassifier' || length > 1 ? 'textClassifier' : 'reranker';
}

const noRanking =
  'The file holds a language model that does not say how it ranks documents. docs/what-opens.md#generative-rerankers names those that do: by modules.json with LogitScore, by the tensor cls.output of a GGUF file, or by the name of a known reranker.';

type KindByHead = HeadKind | 'textClassifier';

const headOf: Readonly<Record<KindByHead, string>> = {
  reranker:
    'classification head, so it cannot rank. A reranker is a cross-encoder, such as a BertForSequenceClassification with one label.',
  textClassifier:
    'classification head, so it cannot classify texts. A text classifier is a supervised model of fastText, or an encoder such as a BertForSequenceClassification.',
  tokenClassifier:
    'head for token classification, so it cannot tag. A token classifier is an encoder such as a BertForTokenClassification.',
  questionAnswering:
    'head for question answering, so it cannot answer from a text. Such a model is an encoder such as a BertForQuestionAnswering.',
  fillMask:
    "masked language model's head, so it cannot fill a mask. Such a model is a directory of an encoder such as a BertForMaskedLM, or was converted with the head fillMask.",
  sparseEncoder:
    'head of a sparse encoder, so it cannot give the weights of words. Such a model is a directory of SPLADE, of an encoder such as a BertForMaskedLM, or of one with a sparse_linear.pt, or was converted with the head sparseEncoder.',
};

function isNamedByHead(kind: ModelKind): kind is KindByHead {
  return kind in headOf;
}

function withoutHead(wanted: KindByHead): AmbryError {
  return refused('Unsupported', `The model has no ${headOf[wanted]}`);
}

function refused(code: 'Unsupported' | 'BadMagic', message: string): AmbryError {
  return new AmbryError(code, message, { path: 'options.kind' });
}
