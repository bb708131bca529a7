import { describe, expect, test } from 'vitest';
import { groupNearDuplicates } from '../../../../../../web/demo/search/results/matching/near-duplicates.ts';
import { hit } from '../hit.ts';

describe('near-duplicates', () => {
  const first = hit('The ferry leaves the harbour at seven in the morning on weekdays.');
  const again = hit('the ferry leaves the harbour at seven in the morning, on weekdays');
  const other = hit('Tickets are sold at the kiosk by the pier.');

  test('are grouped under the best of them, in the order of the hits', () => {
    const { hits, nearDuplicates } = groupNearDuplicates([first, other, again]);
    expect(hits).toEqual([first, other]);
    expect([...nearDuplicates]).toEqual([[first, [again]]]);
  });

  test('do not differ in a number', () => {
    const seven = hit('The ferry leaves the harbour at 7 in the morning on weekdays and holidays.');
    const nine = hit('The ferry leaves the harbour at 9 in the morning on weekdays and holidays.');
    expect(groupNearDuplicates([seven, nine]).hits).toEqual([seven, nine]);
  });

  test('share most of their words', () => {
    const evening = hit('The ferry leaves the island late in the evening, on Sundays only.');
    expect(groupNearDuplicates([first, evening]).hits).toEqual([first, evening]);
  });

  test('without words have equal texts', () => {
    expect(groupNearDuplicates([hit('🦉'), hit('🐈'), hit('word'), hit('🦉')]).hits).toHaveLength(
      3,
    );
  });
});
