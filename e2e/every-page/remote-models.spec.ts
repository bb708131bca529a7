// Models are opened by the address of a Hugging Face folder and converted in the page.
import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

// Chromium writes failed requests to the console, also for optional files.
const failedRequest = /Failed to load resource/;

test.beforeEach(({ browserErrors }) => browserErrors.expect(failedRequest));

for (const path of ['tiny-bert/', 'tiny-bert', 'tiny-bert/model.safetensors']) {
  test(`/${path} is fetched and converted, and the notes are indexed again`, async ({
    search,
    faulty,
    tiny,
  }) => {
    await search.loadModelFrom(`${faulty.origin}/${path}`);
    await expect(search.model).toContainText('tiny-bert');
    await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
    const saved = await search.saveModel();
    expect(saved.equals(tiny), 'the same bytes as from local files').toBe(true);
  });
}

const incompleteFolders = [
  ['no-config', 'config.json'],
  ['no-tokenizer', 'tokenizer.json'],
  ['no-weights', 'model.safetensors'],
] as const;

for (const [folder, file] of incompleteFolders) {
  test(`the folder ${folder} is refused with the missing file`, async ({ search, faulty }) => {
    await search.loadModelFrom(`${faulty.origin}/${folder}/`);
    await expect(search.alert).toContainText('The model was not opened');
    await expect(search.fact(search.alert, 'Code')).toHaveText('NotFound');
    await expect(search.fact(search.alert, 'Field')).toHaveText(file);
    await expect(search.model).toContainText('english-static-336 (built in)');
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia');
  });
}

test('a server that does not answer is reported with its address', async ({
  search,
  browserErrors,
}) => {
  browserErrors.expect(/net::ERR_|CORS policy/);
  await search.loadModelFrom('http://127.0.0.1:9/mini/');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Http');
  await expect(search.alert).toContainText('No answer from http://127.0.0.1:9/mini/config.json');
});
