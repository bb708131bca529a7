// Elements with one index share its search.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SearchUse } from '../../src/element/shared-search.ts';

const dispose = vi.fn(async () => {});
const openSearch = vi.fn(async () => ({ dispose }));

vi.mock('../../src/element/open-search.ts', () => ({
  checkAttributes: () => {},
  openSearch: () => openSearch(),
}));

let place = { src: '', site: undefined };
beforeEach((context) => {
  vi.useFakeTimers();
  // An index of its own for each test.
  place = { src: `/${context.task.id}/`, site: undefined };
});
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});
const use = () => new SearchUse(place, null);

describe('the search of an index', () => {
  test('is opened once for all elements, and ends a minute after the last one', async () => {
    const [one, two] = [use(), use()];
    expect(await one.open()).toBe(await two.open());
    expect(openSearch).toHaveBeenCalledTimes(1);
    one.release();
    one.release();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(dispose).not.toHaveBeenCalled();
    two.release();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(dispose).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(dispose).toHaveBeenCalledTimes(1);
    await use().open();
    expect(openSearch).toHaveBeenCalledTimes(2);
  });

  test('goes on for an element that comes in time', async () => {
    const one = use();
    const search = await one.open();
    one.release();
    await vi.advanceTimersByTimeAsync(30_000);
    const two = use();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(dispose).not.toHaveBeenCalled();
    expect(await two.open()).toBe(search);
  });

  test('is opened again after a failure', async () => {
    openSearch.mockRejectedValueOnce(new Error('no answer'));
    const one = use();
    await expect(one.open()).rejects.toThrow('no answer');
    await one.open();
    expect(openSearch).toHaveBeenCalledTimes(2);
  });

  test('is not for an element that has gone', async () => {
    const one = use();
    one.release();
    await expect(one.open()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
