// Names and addresses as people copy them: the page asks for what they stand for, and says what does not answer.
import { expect } from '../fixtures.ts';
import { test } from '../pages/home-page.ts';

const cases = [
  ['sentence-transformers/all-MiniLM-L6-v2', '/api/models/sentence-transformers/all-MiniLM-L6-v2'],
  ['https://huggingface.co/owner/name/tree/main', '/api/models/owner/name'],
  ['hf.co/owner/name', '/api/models/owner/name'],
] as const;

for (const [typed, asked] of cases) {
  test(`${typed} is looked up at the hub`, async ({ page, home, browserErrors }) => {
    browserErrors.expect(/net::ERR|Failed to load resource/);
    const urls: string[] = [];
    await page.route(/huggingface\.co/, (route) => {
      urls.push(route.request().url());
      return route.abort();
    });
    await home.lookAt(typed);
    await expect(home.found).toContainText('huggingface.co does not answer.', { timeout: 30_000 });
    expect(urls[0]).toContain(`https://huggingface.co${asked}`);
  });
}

test('a host with a path is an address', async ({ home, site }) => {
  await home.lookAt(`${new URL(site).host}/samples/stories.gguf`);
  await expect(home.found).toContainText('stories.gguf');
  await expect(home.found).toContainText('Sound', { timeout: 30_000 });
});

test('what is no address is refused with the forms that are', async ({ page, home }) => {
  await home.lookAt('two words');
  const field = page.locator('#url');
  await expect(home.found).toHaveCount(0);
  const says = () => field.evaluate((node) => (node as HTMLInputElement).validationMessage);
  expect(await says()).toContain('a name at the hub (owner/name)');
  await field.fill('owner/name');
  expect(await says()).toBe('');
});
