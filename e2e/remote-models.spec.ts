// Models by the address of a Hugging Face directory, which are converted in the tab.
import { expect, test } from './fixtures.ts';

// Chromium itself writes failed requests to the console, also those for files that may be missing.
const kFailedRequest = /Failed to load resource/;

test.beforeEach(({ complaints }) => complaints.expect(kFailedRequest));

for (const path of ['tiny-bert/', 'tiny-bert', 'tiny-bert/model.safetensors']) {
  test(`/${path} is fetched, converted and indexes the notes anew`, async ({
    search,
    mean,
    tiny,
  }) => {
    await search.loadModelFrom(`${mean.origin}/${path}`);
    await expect(search.model).toContainText('tiny-bert');
    await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
    const saved = await search.saveModel();
    expect(saved.equals(tiny), 'the same bytes as from the files themselves').toBe(true);
  });
}

const kLacking = [
  ['no-config', 'config.json'],
  ['no-tokenizer', 'tokenizer.json'],
  ['no-weights', 'model.safetensors'],
] as const;

for (const [directory, file] of kLacking) {
  test(`a directory with ${directory} is refused by what it lacks`, async ({ search, mean }) => {
    await search.loadModelFrom(`${mean.origin}/${directory}/`);
    await expect(search.alert).toContainText('The model was not opened');
    await expect(search.fact(search.alert, 'Code')).toHaveText('NotFound');
    await expect(search.fact(search.alert, 'Field')).toHaveText(file);
    await expect(search.model).toContainText('english-192x1 (built in)');
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia');
  });
}

test('a server that does not answer is named', async ({ search, complaints }) => {
  complaints.expect(/net::ERR_|CORS policy/);
  await search.loadModelFrom('http://127.0.0.1:9/mini/');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Http');
  await expect(search.alert).toContainText('No answer from http://127.0.0.1:9/mini/config.json');
});
