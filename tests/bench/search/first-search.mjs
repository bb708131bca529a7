// The work of first-search-bench.mjs in its page.
import { createIndex, open, openIndex } from '/dist/index.js';

const frequent = {
  en: 'the of and to in is that for it with as are was be on by this which you can not'.split(' '),
  de: 'der die das und ist nicht mit ein eine auf dem den zu im für sich von wie wird sind'.split(
    ' ',
  ),
};
const words = 90;

/** Words of which few are frequent and most are rare, the same each time. */
function passagesOf(count, codes) {
  let state = 1;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const rare = Array.from({ length: 20_000 }, () =>
    Array.from(
      { length: 3 + random() * 6 },
      () => 'etaoinshrdlucm'[Math.floor(random() * 14)],
    ).join(''),
  );
  const pick = (list, power) => list[Math.floor(random() ** power * list.length)];
  return Array.from({ length: count }, (_, i) => {
    const own = frequent[codes[i % codes.length]];
    const text = Array.from({ length: words }, () =>
      random() < 0.4 ? pick(own, 1) : pick(rare, 3),
    );
    return { id: i, text: `${text.join(' ')}.` };
  });
}

/** A loaded index, and a query. What is fetched once is no matter of the passages, and is there already. */
let prepared;

export async function prepare({ model: address, codes, passages }) {
  const model = await open(address, { kind: 'encoder' });
  const docs = passagesOf(passages, codes);
  const made = await createIndex(model, docs);
  const file = await made.save();
  await made.dispose();
  const query = docs[17].text.split(' ').slice(0, 6).join(' ');
  const warm = await createIndex(model, docs.slice(0, 4));
  await warm.search(query, { hybrid: true });
  await warm.dispose();
  prepared = { index: await openIndex(file, { model }), query };
}

export async function work() {
  const { index, query } = prepared;
  performance.mark('first search begins');
  const begun = performance.now();
  await index.search(query, { hybrid: true });
  const first = performance.now() - begun;
  const again = performance.now();
  await index.search(query, { hybrid: true });
  return { first, further: performance.now() - again };
}
