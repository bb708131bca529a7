// What a stranger hides in names: marks that turn a line around, and characters without a width, are seen on the page.
import { expect } from '../fixtures.ts';
import { test } from '../pages/check-page.ts';

const hidden = /[\u202a-\u202e\u2066-\u2069\u200b\u00ad\ufeff]|(?![\n\t])\p{Cc}/u;
/** Looks like a picture's name, and like one of two tensors with equal names. */
const turned = 'weight\u202egnp.srotasnet';
const doubled = ['lay\u200ber', 'layer'];
const metadata = { note: 'a\u2067b\u0007c', 'k\u202ey': 'v\u00adw', עברית: 'שלום (גרסה 2)' };

function hostileFile(): Buffer {
  const tensor = (at: number) => ({ dtype: 'F32', shape: [1], data_offsets: [at, at + 4] });
  const header = { __metadata__: metadata, [turned]: tensor(0) };
  const all = {
    ...header,
    ...Object.fromEntries(doubled.map((name, i) => [name, tensor(4 * (i + 1))])),
  };
  const json = Buffer.from(JSON.stringify(all));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.alloc(12)]);
}

test('names of files and tensors and metadata show what is hidden in them', async ({
  check,
  page,
}) => {
  await check.choose({ name: 'model\u202etxt.safetensors', buffer: hostileFile() });
  await expect(check.report).toContainText('model\\u202etxt.safetensors');
  await expect
    .poll(() => check.tensorNames())
    .toEqual(expect.arrayContaining(['weight\\u202egnp.srotasnet', 'lay\\u200ber', 'layer']));
  const text = await page.locator('main').evaluate((main) => main.textContent ?? '');
  expect(hidden.exec(text)?.[0]).toBeUndefined();
  const attributes = await page
    .locator('main [title], main [aria-label]')
    .evaluateAll((all) =>
      all.map((one) => `${one.getAttribute('title')} ${one.getAttribute('aria-label')}`),
    );
  expect(attributes.filter((one) => hidden.test(one))).toEqual([]);
});

test('text that is written from right to left stays as it is', async ({ check }) => {
  await check.choose({ name: 'מודל.safetensors', buffer: hostileFile() });
  await expect(check.report).toContainText('מודל.safetensors');
  await expect(check.report).toContainText('שלום (גרסה 2)');
});
