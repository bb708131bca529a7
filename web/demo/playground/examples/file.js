import { inspect, validate } from 'ambry';

const file = '../models/stories.amb';

const { format, tensors } = await inspect(file);
console.log(format, tensors.length, 'tensors');
console.log(tensors[0]);

const { valid, problems } = await validate(file, { values: true });
console.log(valid ? 'The file is sound.' : problems);
