import { allKinds, testKinds } from './support/tokenizer-json-components.ts';

testKinds(allKinds.filter((kind) => !['ByteLevelBpe', 'PieceBpe'].includes(kind)));
