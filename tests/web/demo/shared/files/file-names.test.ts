import { expect, test } from 'vitest';
import { fileNameOf, fixedName } from '../../../../../web/demo/shared/files/file-names.ts';

test.each([
  ['a file', 'https://example.org/models/tiny.weights', 'tiny.weights'],
  ['a query and a fragment', 'https://example.org/a.gguf?download=true/no#part', 'a.gguf'],
  ['a slash at the end', 'https://example.org/models/mini/', 'mini'],
  ['no path', 'https://example.org/?x=1', 'example.org'],
  ['escapes', 'https://example.org/Gr%C3%BC%C3%9Fe%20all.bin', 'Grüße all.bin'],
  ['a percent sign that is no escape', 'https://example.org/100%25%zz.bin', '100%25%zz.bin'],
  ['an escaped slash', 'https://example.org/a%2F..%2Fb.bin', 'a%2F..%2Fb.bin'],
  ['an escaped backslash', 'https://example.org/a%5Cb.bin', 'a%5Cb.bin'],
  ['an escaped line end', 'https://example.org/a%0Ab.bin', 'a%0Ab.bin'],
  ['an escaped turn of direction', 'https://example.org/a%E2%80%AEnib.b', 'a%E2%80%AEnib.b'],
  ['a revision of the hub', 'https://hub.example/owner/mini-v1.5/resolve/main/', 'mini-v1.5'],
  ['a file of the hub', 'https://hub.example/owner/mini/resolve/main/q4.gguf', 'q4.gguf'],
  ['a name at the hub', 'hf:owner/mini-v1.5', 'mini-v1.5'],
  ['a name with a revision', 'hf:owner/mini@refs/pr/4', 'mini'],
  ['a name with an empty revision', 'hf:owner/mini@', 'mini'],
  ['a file at the hub', 'hf:owner/mini@v2/onnx/q4.gguf', 'q4.gguf'],
  ['no address', 'models/digits.bin', 'digits.bin'],
  ['nothing', '', ''],
])('the name of an address with %s', (_, address, name) => {
  expect(fileNameOf(address)).toBe(name);
});

test('a repaired file keeps its ending', () => {
  expect(fixedName('folder/model.weights')).toBe('model.fixed.weights');
  expect(fixedName('.weights')).toBe('.weights.fixed');
});
