// Networks for pictures that others trained, with pictures to run them on: from the data folder, read with as
// much of safetensors as it takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ImageClassifierPlan,
  ImageInput,
  PlanNode,
} from '../../../../web/src/entries/types.ts';
import { dataPath } from '../../../data-folder.mjs';
import { ambry } from '../package.ts';

const testFolder = dataPath('cnn');

export const realNetworks = ['cnn/mnist-conv-bn-burn', 'cnn/resnet-cifar10'];

export interface RealNetwork {
  readonly floats: Blob;
  readonly plan: ImageClassifierPlan;
  readonly inputs: readonly ImageInput[];
}

function bytesOf(path: string, name: string): Uint8Array {
  const file = readFileSync(join(testFolder, path));
  const head = 8 + Number(file.readBigUInt64LE());
  const table = JSON.parse(file.toString('utf8', 8, head));
  const [begin, end] = table[name].data_offsets as [number, number];
  return file.subarray(head + begin, head + end);
}

function chunks(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: bytes.length / size }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

/** Three convs and two linear layers for digits; normalised numbers as inputs. */
export async function digitNetwork(): Promise<RealNetwork> {
  const forms = [0, 1, 2].flatMap((i) => [`conv.${i}.stride=1`, `conv.${i}.pad=0`]);
  const metadata = Object.fromEntries(forms.map((form) => form.split('=')));
  const path = join(testFolder, 'mnist-conv-bn-burn/mnist.safetensors');
  const floats = await ambry.convert({ path }, { to: 'tinyruntime', metadata });
  const convs = Array(3).fill(['conv', 'relu']).flat();
  const tail = ['batchnorm', 'flatten', 'linear', 'relu', 'linear', 'batchnorm'];
  const images = bytesOf('mnist-conv-bn-burn/digits_dev.safetensors', 'images_u8');
  return {
    floats,
    plan: { input: [1, 28, 28], ops: [...convs, ...tail] },
    inputs: chunks(images, 28 * 28).map((image) =>
      Float32Array.from(image, (pixel) => (pixel / 255 - 0.1307) / 0.3081),
    ),
  };
}

/** ResNet-20 for small pictures. Where a block narrows, its input goes past it as every second pixel between
 *  channels of zeros. */
function smallPicturesPlan(): ImageClassifierPlan {
  const nodes: PlanNode[] = [
    ['conv', 0, 'x', 'a'],
    ['relu', 'a', 'a'],
  ];
  for (let block = 0; block < 9; block += 1) {
    const conv = 2 * block + 1;
    nodes.push(['conv', conv, 'a', 'b'], ['relu', 'b', 'b'], ['conv', conv + 1, 'b', 'b']);
    if (block === 3 || block === 6) {
      const more = block === 3 ? 8 : 16;
      nodes.push(['maxpool', 1, 2, 0, 'a', 'a'], ['pad_channels', more, more, 'a', 'a']);
    }
    nodes.push(['add', 'b', 'a', 'a'], ['relu', 'a', 'a']);
  }
  nodes.push(['avgpool', 8, 8, 0, 'a', 'a'], ['flatten', 'a', 'a'], ['linear', 0, 'a', 'y']);
  return { input: [3, 32, 32], nodes };
}

/** Pictures as inputs. */
export async function smallPicturesNetwork(): Promise<RealNetwork> {
  const path = join(testFolder, 'resnet-cifar10/resnet20.safetensors');
  const io = 'resnet-cifar10/resnet20_synthetic_io.safetensors';
  return {
    floats: await ambry.convert({ path }, { to: 'tinyruntime' }),
    plan: smallPicturesPlan(),
    inputs: chunks(bytesOf(io, 'images_u8_nhwc'), 32 * 32 * 3).map((rgb) => {
      const data = new Uint8Array(32 * 32 * 4).fill(255);
      for (let i = 0; i < 32 * 32; i += 1) {
        data.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
      }
      return { width: 32, height: 32, data };
    }),
  };
}
