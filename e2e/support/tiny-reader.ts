// A tiny model that answers questions. Its weights are random, but its head looks at [CLS]: it finds an answer everywhere, or nowhere.
import { convert, open } from 'ambry';
import { questionDirectory } from '../../tests/web/support/directories/token-head-directories.ts';
import { pytorchFile, tensorsIn } from '../../tests/web/support/files/pytorch-file.ts';
import { modelDirectory } from '../../tests/web/support/fixtures.ts';

/** How strongly the head is drawn to [CLS], which stands for "no answer". */
const strength = 4;

async function directionOfCls(): Promise<Float32Array> {
  await using encoder = await open(modelDirectory(), { kind: 'encoder' });
  return await encoder.embed('the cat sat', { pooling: 'cls', normalize: false });
}

/** The files of a folder of Hugging Face. */
export async function tinyReaderFiles(
  answers: 'always' | 'never',
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const direction = await directionOfCls();
  const sign = answers === 'never' ? strength : -strength;
  // Random parts make one token of the text more likely than another.
  const row = (seed: number) =>
    direction.map((x, i) => sign * x + Math.sin(seed * (i + 1)) * (answers === 'never' ? 0 : 3));
  const weight = Float32Array.from([...row(1), ...row(2)]);
  const head = [
    { name: 'qa_outputs.weight', shape: [2, direction.length], data: bytesOf(weight) },
    { name: 'qa_outputs.bias', shape: [2], data: bytesOf(new Float32Array(2)) },
  ];
  const own = tensorsIn(modelDirectory().get('model.safetensors') as Uint8Array);
  const prefixed = own.map((tensor) => ({ ...tensor, name: `bert.${tensor.name}` }));
  return questionDirectory().set('pytorch_model.bin', pytorchFile([...prefixed, ...head]));
}

export async function tinyReader(answers: 'always' | 'never'): Promise<Buffer> {
  const file = await convert(await tinyReaderFiles(answers));
  return Buffer.from(await file.arrayBuffer());
}

const bytesOf = ({ buffer }: Float32Array): Uint8Array => new Uint8Array(buffer);
