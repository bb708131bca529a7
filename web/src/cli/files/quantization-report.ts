// Formats the report of a quantization: a line for each tensor, the totals, and how similar the outputs are.
import type { OutputAgreement, Quantized } from '../../entries/types.ts';
import { formatBytes, table } from '../shared/format.ts';

export function quantizationLines({ report, agreement }: Quantized): string[] {
  if (!report) {
    return [];
  }
  const { bytesBefore, bytes, tensors, vectors } = report;
  const rows = tensors.map((tensor) => [
    tensor.name,
    tensor.from === tensor.to ? tensor.to : `${tensor.from} → ${tensor.to}`,
    formatBytes(tensor.bytesBefore),
    formatBytes(tensor.bytes),
    tensor.maxAbsError.toPrecision(3),
    tensor.relativeError?.toFixed(5) ?? '-',
    tensor.cosine.toFixed(6),
  ]);
  const head = ['tensor', 'type', 'before', 'after', 'max error', 'relative', 'cosine'];
  const total = [
    'total',
    `${((100 * bytes) / bytesBefore).toFixed(1)} %`,
    formatBytes(bytesBefore),
    formatBytes(bytes),
    ...worstValues(report),
  ];
  const lines = table([head, ...rows, total], [2, 3, 4, 5, 6]);
  if (!vectors) {
    return [...lines, agreementLine(agreement)];
  }
  const { cosine, distance } = vectors;
  const spread = ({ mean, deviation }: { mean: number; deviation: number }) =>
    `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
  return [...lines, `Vectors: cosine ${spread(cosine)}, distance ${spread(distance)}.`];
}

/** The maximum errors and the minimum cosine over all tensors. */
function worstValues({ tensors }: NonNullable<Quantized['report']>): string[] {
  const max = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
  return [
    max(tensors.map((tensor) => tensor.maxAbsError)).toPrecision(3),
    max(tensors.map((tensor) => tensor.relativeError ?? 0)).toFixed(5),
    tensors.reduce((min, tensor) => Math.min(min, tensor.cosine), 1).toFixed(6),
  ];
}

function agreementLine(agreement: OutputAgreement | null): string {
  switch (agreement?.kind) {
    case 'embeddings': {
      const { texts, meanCosine, leastCosine } = agreement;
      return `Embeddings of ${texts} texts: cosine ${meanCosine.toFixed(6)} on average, ${leastCosine.toFixed(6)} at least.`;
    }
    case 'tokens': {
      const { texts, tokens, sameToken, perplexity } = agreement;
      const [before, after] = perplexity.map((value) => value.toPrecision(5));
      const share = ((100 * sameToken) / tokens).toFixed(1);
      return `On ${texts} texts: ${sameToken} of ${tokens} next tokens are the same (${share} %), perplexity ${before} → ${after}.`;
    }
    case 'answers': {
      const { inputs, sameAnswer, largestDifference } = agreement;
      return `On ${inputs} images: ${sameAnswer} have the same class, and logits differ by ${largestDifference.toPrecision(3)} at most.`;
    }
    default:
      return 'The outputs were not compared, because the source cannot be run or no inputs were given.';
  }
}
