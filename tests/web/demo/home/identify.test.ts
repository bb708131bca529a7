// What the landing page makes of given files.
import { describe, expect, it } from 'vitest';
import { sortGiven } from '../../../../web/demo/home/identify.ts';
import { damagedOffers, modelOffers, offersFor } from '../../../../web/demo/home/offers.ts';
import type { PathFile } from '../../../../web/demo/shared/files/given-files.ts';

const file = (path: string, content: string): PathFile => ({
  path,
  file: new File([content], path.split('/').pop() ?? path),
});
const sort = (...files: PathFile[]) => sortGiven({ files, skipped: [] });

describe('sortGiven', () => {
  it('shows documents together and other files one by one', async () => {
    const { models, others, left } = await sort(
      file('a.txt', 'The tide comes twice a day.'),
      file('b.md', '# Bread'),
      file('photo.gif', 'GIF89a and more'),
      file('tiny.weights', 'EMBD and more'),
    );
    expect(models.map(({ name }) => name)).toEqual(['tiny.weights']);
    const pages = [{ page: 'search', label: 'Search in them' }];
    expect(others[0]).toMatchObject({ name: '2 documents', pages });
    expect(left).toBe(0);
  });

  it('takes the files of a model folder and the parts of a split model as one model each', async () => {
    const { models } = await sort(
      file('bert/config.json', '{}'),
      file('bert/model.safetensors', 'x'),
      file('big-00001-of-00002.gguf', 'GGUF'),
      file('big-00002-of-00002.gguf', 'GGUF'),
    );
    expect(models.map(({ name, given }) => [name, given.files.length])).toEqual([
      ['bert', 2],
      ['big', 2],
    ]);
  });

  it('gives a network its plan, which is no document then', async () => {
    const plan = file('digits-plan.json', '{"input": [1, 28, 28], "ops": ["conv"]}');
    const { models, others } = await sort(file('digits.bin', '\0\x01\0\x02\0\x03\0\x04'), plan);
    expect(models.map(({ given }) => given.files.map(({ path }) => path))).toEqual([
      ['digits.bin', 'digits-plan.json'],
    ]);
    expect(others).toEqual([]);
    expect((await sort(plan)).others).toHaveLength(1);
  });

  it('keeps every document of a large folder, and says how many other files are not shown', async () => {
    const documents = Array.from({ length: 700 }, (_, at) => file(`notes/${at}.txt`, 'Some text.'));
    const models = Array.from({ length: 20 }, (_, at) => file(`a${at}.weights`, 'EMBD'));
    const sorted = await sort(...models, ...documents);
    expect(sorted.others[0]?.name).toBe('700 documents');
    expect(sorted.models).toHaveLength(12);
    expect(sorted.left).toBe(8);
  });
});

describe('the pages that are offered', () => {
  it('begin with the page that runs the model, and always have Check and Convert', () => {
    const pagesOf = (kind: Parameters<typeof modelOffers>[0]) =>
      modelOffers(kind).map(({ page }) => page);
    expect(pagesOf('encoder')).toEqual(['search', 'check', 'convert']);
    expect(pagesOf('words')).toEqual(['words', 'search', 'check', 'convert']);
    expect(pagesOf('imageClassifier')).toEqual(['classify', 'check', 'convert']);
    expect(pagesOf('generator')).toEqual(['chat', 'check', 'convert']);
    expect(pagesOf('reranker')).toEqual(['check', 'convert']);
    expect(pagesOf(null)).toEqual(['check', 'convert']);
    expect(damagedOffers[0]?.page).toBe('check');
  });

  it('are none for a file that no page opens', () => {
    expect(offersFor('foreign')).toEqual([]);
    expect(offersFor('picture')).toEqual([{ page: 'classify', label: 'Classify it' }]);
  });
});
