// The work of first-search-bench.mjs in its page.
import { createIndex, loadIndex, open } from '/dist/index.js';

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

/** The longest time in which no other task could run while `work` ran. */
async function longestTask(work) {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.onmessage = () => {
    tick();
    port2.postMessage(0);
  };
  port2.postMessage(0);
  await work();
  tick();
  port1.close();
  return longest;
}

export async function work({ model: address, codes, passages }) {
  const model = await open(address, { kind: 'encoder' });
  const docs = passagesOf(passages, codes);
  const made = await createIndex(model, docs);
  const file = await made.save();
  await made.dispose();
  const stated = await createIndex(model, docs, { language: codes });
  const plain = await stated.save();
  await stated.dispose();
  const index = await loadIndex(model, file);
  const query = docs[17].text.split(' ').slice(0, 6).join(' ');
  // What is fetched once is no matter of the passages.
  const warm = await createIndex(model, docs.slice(0, 2), { language: codes });
  await warm.search(query, { hybrid: true });
  await warm.dispose();
  const begun = performance.now();
  const task = await longestTask(() => index.search(query, { hybrid: true }));
  const ms = performance.now() - begun;
  const again = performance.now();
  await index.search(query, { hybrid: true });
  const further = performance.now() - again;
  return { task, ms, further, detected: codes, bytes: file.size, added: file.size - plain.size };
}
