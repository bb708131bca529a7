// Pages that cannot start the package's worker scripts where they belong: the package is at another origin, a bundler has
// left the scripts out, or a policy forbids them.
import { expect, type Page } from '@playwright/test';
import { test } from './package-origins.ts';

type Package = typeof import('ambry');
type Passages = typeof import('ambry/passages');

/** Opens the model of the page's origin with the package of an origin, and embeds a text; or what went wrong. `whole` imports the
 *  package ambry-whole before. */
const embedWith = (page: Page, origin: string, whole = false) =>
  page.evaluate(
    async ([url, isWhole]) => {
      if (isWhole) {
        await import(`${url}/whole/dist/index.js`);
      }
      const blocked: string[] = [];
      addEventListener('securitypolicyviolation', ({ blockedURI }) => blocked.push(blockedURI));
      const { open } = (await import(`${url}/index.js`)) as Package;
      try {
        const model = await open('/model.weights', { kind: 'encoder' });
        const [first, rows] = [await model.embed('water'), await model.embed(['water', 'fire'])];
        await model.dispose();
        return { dim: first.length, rows: rows.length, blocked };
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        return { code, message, blocked };
      }
    },
    [origin, whole] as const,
  );

const works = { dim: 32, rows: 2, blocked: [] };
const scripts = "'unsafe-inline' 'wasm-unsafe-eval'";

test('works with the package at another origin', async ({ origins, page }) => {
  const { own, other } = origins;
  await page.goto(own.url);
  expect(await embedWith(page, other.url)).toEqual(works);
  expect(other.asked).toContain('/workers/encoder-small-worker.js');
});

test('says which policy the package at another origin needs', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own, other } = origins;
  own.policy = `script-src 'self' ${other.url} ${scripts}; worker-src 'self'`;
  browserErrors.expect(/Content Security Policy/);
  await page.goto(own.url);
  expect(await embedWith(page, other.url)).toMatchObject({
    code: 'Unsupported',
    message: `The page may not start the worker ${other.url}/workers/encoder-small-worker.js. Add to its Content-Security-Policy: worker-src blob: ${other.url}`,
  });
});

test('works with ambry-whole where a bundler has left out the scripts', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own } = origins;
  own.hasWorkers = false;
  browserErrors.expect(/Failed to load module script/);
  await page.goto(own.url);
  expect(await embedWith(page, own.url, true)).toEqual(works);
  // The browser has asked for the script, and the package what is there. Further workers do without.
  expect(await embedWith(page, own.url, true)).toEqual(works);
  expect(own.asked.filter((path) => path.endsWith('worker.js'))).toHaveLength(2);
});

test('says what to add where a bundler has left out the scripts', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own } = origins;
  own.hasWorkers = false;
  browserErrors.expect(/Failed to load module script/);
  await page.goto(own.url);
  const { code, message } = (await embedWith(page, own.url)) as { code: string; message: string };
  expect(code).toBe('Unsupported');
  expect(message).toContain(`${own.url}/workers/encoder-small-worker.js does not start`);
  expect(message).toContain("Run npm install ambry-whole, and add this line: import 'ambry-whole'");
});

test('says what to add where the copy of ambry-whole may not run', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own } = origins;
  own.hasWorkers = false;
  own.policy = `script-src 'self' ${scripts}; worker-src 'self'`;
  browserErrors.expect(/Failed to load module script|Content Security Policy/);
  await page.goto(own.url);
  const found = await embedWith(page, own.url, true);
  const { code, message } = found as { code: string; message: string };
  expect(code).toBe('Unsupported');
  expect(message).toContain(`${own.url}/workers/encoder-small-worker.js`);
  expect(message).toContain('the server answered 200 (text/html)');
  expect(message).toContain("createWorker: () => new Worker('/ambry/workers/worker.js'");
});

test('starts no worker from a blob where the scripts are served', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own } = origins;
  own.policy = `script-src 'self' ${scripts}; worker-src 'self'`;
  await page.goto(own.url);
  expect(await embedWith(page, own.url)).toEqual(works);
  own.policy = `script-src 'self' ${scripts}; worker-src 'none'`;
  browserErrors.expect(/Content Security Policy/);
  await page.goto(own.url);
  const script = `${own.url}/workers/encoder-small-worker.js`;
  expect(await embedWith(page, own.url)).toEqual({
    code: 'Unsupported',
    message: `The page may not start the worker ${script}. Add to its Content-Security-Policy: worker-src 'self'`,
    blocked: [script],
  });
});

/** What a policy adds that demands trusted types of this name. */
const trust = (name: string) =>
  `require-trusted-types-for 'script'; trusted-types ${name} 'allow-duplicates'`;
/** The only report: that of the first worker. Without it, the page does not know what its policy demands. */
const oneReport = ['trusted-types-sink'];

for (const place of ['its own origin', 'another origin'] as const) {
  test(`starts workers of ${place} as trusted types where the page demands them`, async ({
    origins: { own, other },
    page,
    browserErrors,
  }) => {
    const isOther = place === 'another origin';
    const sources = isOther ? `'self' ${other.url}` : "'self'";
    const workers = isOther ? `blob: ${sources}` : sources;
    own.policy = `script-src ${sources} ${scripts}; worker-src ${workers}; ${trust('ambry')}`;
    browserErrors.expect(/requires 'TrustedScriptURL' assignment/);
    await page.goto(own.url);
    const { url } = isOther ? other : own;
    expect(await embedWith(page, url)).toEqual({ ...works, blocked: oneReport });
    expect(await embedWith(page, url)).toEqual(works);
  });
}

test('reads documents in a worker where the page demands trusted types', async ({
  origins,
  page,
  browserErrors,
}) => {
  const { own } = origins;
  own.policy = `script-src 'self' ${scripts}; worker-src 'self'; ${trust('ambry')}`;
  browserErrors.expect(/requires 'TrustedScriptURL' assignment/);
  await page.goto(own.url);
  await embedWith(page, own.url);
  const texts = await page.evaluate(async (url) => {
    const { readDocument } = (await import(`${url}/passages/passages.js`)) as Passages;
    const bytes = new TextEncoder().encode('# Sea\n\nTides follow the moon.');
    const { passages } = await readDocument('notes.md', bytes);
    return passages.map(({ text }) => text);
  }, own.url);
  expect(texts.join()).toContain('Tides follow the moon.');
  expect(own.asked).toContain('/passages/documents-worker.js');
});

test('says which trusted type it needs', async ({ origins, page, browserErrors }) => {
  const { own } = origins;
  own.policy = `script-src 'self' ${scripts}; worker-src 'self'; ${trust('other')}`;
  browserErrors.expect(/TrustedScriptURL|TrustedTypePolicy/);
  await page.goto(own.url);
  const refused = {
    code: 'Unsupported',
    message:
      "The page demands trusted types. Add to its Content-Security-Policy: trusted-types ambry 'allow-duplicates'",
  };
  expect(await embedWith(page, own.url)).toMatchObject(refused);
  expect(await embedWith(page, own.url)).toMatchObject(refused);
});
