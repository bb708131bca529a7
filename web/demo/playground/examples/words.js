import { open } from 'ambry';

const model = await open('../models/books-96.fifu', { kind: 'words' });

for (const { word, score } of await model.similar('bread', { k: 5 })) {
  console.log(score.toFixed(3), word);
}
const [answer] = await model.analogy('man', 'king', 'woman');
console.log('man is to king as woman is to', answer.word);
