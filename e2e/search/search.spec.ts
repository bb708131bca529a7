import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

const examples = [
  { question: 'trouble falling asleep at night', answer: /^Insomnia often yields to plain habits/ },
  { question: 'what helps against an insect bite', answer: /^Scrape a bee's sting out sideways/ },
  { question: 'nausea on a boat', answer: /^Seasickness eases when the eyes/ },
];

/** Words without a meaning of their own. */
const functionWords = new Set(
  'a an the and or at in on of to for from with during against what'.split(' '),
);

function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !functionWords.has(word));
}

test.describe('the built-in model and notes', () => {
  test('are described in the panels', async ({ search }) => {
    await expect(search.model).toContainText('english-static-336 (built in)');
    await expect(search.fact(search.model, 'Dimensions')).toHaveText('336');
    await expect(search.fact(search.model, 'Layers')).toHaveText('none');
    await expect(search.fact(search.model, 'Vocabulary')).toHaveText('12,288');
    await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
    await expect(search.documents).toContainText('166 passages');
  });

  for (const { question, answer } of examples) {
    test(`answer "${question}" by meaning, without a common word`, async ({ page, search }) => {
      await page.getByRole('button', { name: question }).click();
      await expect(search.query).toHaveValue(question);
      const best = search.results.first().locator('.result-text');
      await expect(best).toHaveText(answer);
      const given = contentWords(await best.innerText());
      expect(contentWords(question).filter((word) => given.includes(word))).toEqual([]);
    });
  }

  test('give results from best to worst, with scores as text and bars', async ({ search }) => {
    await search.ask('how far away is a thunderstorm');
    await expect(search.results).toHaveCount(8);
    const scores = await search.results.locator('.result-score').allInnerTexts();
    const numbers = scores.map((text) => Number(/0\.\d{3}/.exec(text)?.[0]));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    // The bars compare the scores to those of questions without an answer.
    await expect(search.results.first().locator('.closeness')).toHaveText('close');
    const shares = await search.results
      .locator('.result-score .bar')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.style.getPropertyValue('--score'))));
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares[0]).toBeGreaterThan(0.8);
    expect(shares[7]).toBeLessThan(0.8);
  });
});

test('results follow the typing, up to the last letter', async ({ search }) => {
  await search.query.pressSequentially('thunder', { delay: 15 });
  await expect(search.results.first()).toContainText('Thunder is the sound of air');
  await search.query.press('ControlOrMeta+a');
  await search.query.pressSequentially('goldfish in a bowl', { delay: 5 });
  await expect(search.results.first()).toContainText('Goldfish do badly in a bowl');
  await search.query.fill('');
  await expect(search.results).toHaveCount(0);
  await expect(search.status).toContainText('Ready: 166 passages about kitchen');
});

test('any text can be a question', async ({ search }) => {
  for (const question of ['🦉', '<b>bold</b> & "quoted"', 'ὀδύσσεια', 'x'.repeat(2000)]) {
    await search.query.fill(question);
    await expect(search.results).toHaveCount(8);
  }
});

test('the page works with a strict content security policy', async ({ page, site, search }) => {
  const response = await page.request.get(`${site}search/index.html`);
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");
  // The page also has the policy in a meta element, for servers that send no header.
  const own = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(own).toHaveAttribute('content', /script-src 'self' 'wasm-unsafe-eval'/);
  await search.ask('trouble falling asleep at night');
  expect(
    await page.locator('#results [style]').evaluateAll((nodes) => nodes.map((n) => n.className)),
  ).toEqual(Array(8).fill('bar'));
});
