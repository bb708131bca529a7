// Pictures that are to be turned, as their files say: a page gives the answers that Node gives.
import { type ImageClassifier, open } from 'ambry';
import { networkFile, networkPlan } from '../../tests/web/support/files/network-file.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { exif, jpeg, orientations, png, webp } from '../../tests/web/support/turned-pictures.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const input = [3, 4, 4];
const plan = JSON.stringify({ ...networkPlan, input, image: { mean: [0, 0, 0], std: [1, 1, 1] } });
const network = Buffer.from(networkFile(3));

/** Browsers and Node may decode JPEG files with values that differ by one. */
const makers = { PNG: [png, 12], WebP: [webp, 12], JPEG: [jpeg, 1] } as const;

for (const [name, [make, digits]] of Object.entries(makers)) {
  test(`${name} files`, async ({ packageSite, page }) => {
    packageSite.serve();
    packageSite.serve({ content: contentOf(network) }, 'network.bin');
    const files = orientations.map((orientation) => [...make(exif(orientation))]);
    const found = await page.evaluate(
      async ({ files, plan }) => {
        const { open } = await import(`${location.origin}/index.js`);
        const model: ImageClassifier = await open('/network.bin', { deterministic: true });
        const answers: number[][] = [];
        for (const file of files) {
          const { logits } = await model.run(new Uint8Array(file), { plan });
          answers.push([...logits]);
        }
        return answers;
      },
      { files, plan },
    );

    await using model = await open(network, { kind: 'imageClassifier', deterministic: true });
    const different = new Set<string>();
    for (const [i, file] of files.entries()) {
      const { logits } = await model.run(Uint8Array.from(file), { plan });
      different.add(logits[0]?.toFixed(3) ?? '');
      for (const [j, logit] of logits.entries()) {
        expect(found[i]?.[j]).toBeCloseTo(logit, digits);
      }
    }
    // The network tells the turned pictures apart, so that equal answers say something.
    expect(different.size).toBeGreaterThan(1);
  });
}
