// What people type and paste as an address of a model.
import { expect, test } from 'vitest';
import { givenAddress, hubNameOf } from '../../../../../web/demo/shared/files/given-address.ts';

test.each([
  ['sentence-transformers/all-MiniLM-L6-v2', 'hf:sentence-transformers/all-MiniLM-L6-v2'],
  ['  Qwen/Qwen3-0.6B-GGUF ', 'hf:Qwen/Qwen3-0.6B-GGUF'],
  ['"owner/name"', 'hf:owner/name'],
  ['owner/name@main', 'hf:owner/name@main'],
  ['owner/name/folder/file.gguf', 'hf:owner/name/folder/file.gguf'],
  ['HF:owner/name', 'hf:owner/name'],
  ['hf:owner', 'hf:owner'],
  ['https://huggingface.co/owner/name', 'hf:owner/name'],
  ['https://huggingface.co/owner/name/', 'hf:owner/name'],
  ['huggingface.co/owner/name', 'hf:owner/name'],
  ['hf.co/owner/name', 'hf:owner/name'],
  ['https://www.huggingface.co/owner/name?library=transformers', 'hf:owner/name'],
  ['https://huggingface.co/owner/name/tree/main', 'hf:owner/name'],
  ['https://huggingface.co/owner/name/tree/v1.0/onnx', 'hf:owner/name@v1.0/onnx'],
  ['https://huggingface.co/owner/name/blob/main/a%20b.gguf', 'hf:owner/name@main/a b.gguf'],
  [
    'https://huggingface.co/owner/name/resolve/main/a.gguf',
    'https://huggingface.co/owner/name/resolve/main/a.gguf',
  ],
  ['https://huggingface.co/datasets/owner/name', 'https://huggingface.co/datasets/owner/name'],
  ['https://example.org/a.gguf', 'https://example.org/a.gguf'],
  ['example.org/a.gguf', 'https://example.org/a.gguf'],
  ['example.org:8443/a.gguf', 'https://example.org:8443/a.gguf'],
  ['127.0.0.1:8080/x.gguf', 'http://127.0.0.1:8080/x.gguf'],
  ['localhost:8080/x.gguf', 'http://localhost:8080/x.gguf'],
  ['[::1]:8080/x.gguf', 'http://[::1]:8080/x.gguf'],
  ['192.168.1.7/x.gguf', 'http://192.168.1.7/x.gguf'],
  ['nas:8080/x.gguf', 'http://nas:8080/x.gguf'],
])('%s is opened as %s', (typed, address) => {
  expect(givenAddress(typed)).toBe(address);
});

test.each([
  '',
  'model',
  'two words',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://',
  '/a/b',
])('%j is no address', (typed) => {
  expect(givenAddress(typed)).toBeNull();
});

test('a page that is none of the hub has no name there', () => {
  expect(hubNameOf('https://example.org/owner/name')).toBeNull();
  expect(hubNameOf('https://huggingface.co/owner')).toBeNull();
  expect(hubNameOf('https://huggingface.co.example.org/owner/name')).toBeNull();
  expect(hubNameOf('no address')).toBeNull();
  expect(hubNameOf('https://huggingface.co/owner/%ff')).toBeNull();
});
