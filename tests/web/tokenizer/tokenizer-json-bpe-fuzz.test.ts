import { testKinds } from './support/tokenizer-json-components.ts';

testKinds(['ByteLevelBpe', 'PieceBpe']);
