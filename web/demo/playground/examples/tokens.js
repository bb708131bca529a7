import { openTokenizer } from 'ambry';

const tokenizer = await openTokenizer('../models/english-192x1.weights');
const { ids, tokens } = await tokenizer.tokenize('Hello, unbelievable world!');
console.log(ids);
console.log(tokens);
