import { describe, expect, test } from 'vitest';
import { useOf } from '../../../../../web/demo/shared/recognize/file-pages.ts';
import {
  headBytes,
  recognize,
  recognizeHead,
} from '../../../../../web/demo/shared/recognize/recognize.ts';

/** Latin-1. */
const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** The beginning of an archive whose first member has this name. */
function zip(name: string, content = ''): string {
  const length = String.fromCharCode(name.length, 0);
  return `PK\x03\x04${'\0'.repeat(22)}${length}\0\0${name}${content}`;
}

const fastText = (kind: number): string =>
  `\xba\x16\x4f\x2f${'\0'.repeat(32)}${String.fromCharCode(kind)}\0\0\0`;

test('a classifier that was trained on examples is told from other safetensors', () => {
  const head = '\x40\0\0\0\0\0\0\0{"__metadata__":{"format":"ambry-classifier","version":"1"}';
  const found = recognizeHead(bytes(head), 'mine.safetensors');
  expect(found).toMatchObject({ kind: 'model', model: 'textClassifier', learned: true });
  expect(useOf(found)?.page).toBe('classify');
});

describe('the first bytes tell', () => {
  test.each([
    // Models.
    ['a.weights', 'EMBD\x01\0\0\0', 'model', 'encoder'],
    ['a.amb', 'AMBEE\0', 'model', 'generator'],
    ['a.alt', 'ctla\x01\0', 'model', 'generator'],
    ['renamed', '\0tla\x01\0', 'model', 'generator'],
    ['a.fifu', 'FiFu\0\0\0\0', 'model', 'words'],
    ['a.bin', fastText(3), 'model', 'textClassifier'],
    ['a.bin', fastText(1), 'model', 'words'],
    ['a.txt', '3000000 300\nthe 0.1 0.2\n', 'model', 'words'],
    ['a.vec', 'the 0.1 -0.2 0.3 0.4 0.5\nof 0.1', 'model', 'words'],
    ['a.bin', '300 10\nthe \x00\x80\xff\xfe', 'model', 'words'],
    // Models whose kind only their reader tells.
    ['a.gguf', 'GGUF\x03\0\0\0', 'model', undefined],
    ['a.safetensors', '\x40\0\0\0\0\0\0\0{"a":{', 'weights', undefined],
    ['a.pt', zip('archive/data.pkl', '\x80\x02'), 'weights', undefined],
  ])('%s: %j is a %s of kind %s', (name, head, kind, model) => {
    const found = recognizeHead(bytes(head), name);
    expect(found).toMatchObject({ kind });
    expect(found.model).toBe(model);
  });

  test.each([
    ['photo.png', '\x89PNG\r\n\x1a\n', 'picture', 'a PNG picture'],
    ['photo', '\xff\xd8\xff\xe0', 'picture', 'a JPEG picture'],
    ['a.weights', 'RIFF\x10\0\0\0WEBPVP8 ', 'picture', 'a WebP picture'],
    ['a.gif', 'GIF89a', 'picture', 'a GIF picture'],
    ['a.avif', '\0\0\0\x20ftypavif\0\0', 'picture', 'an AVIF picture'],
    ['a.heic', '\0\0\0\x18ftypheic\0\0', 'foreign', 'a HEIC picture'],
    ['a.tif', 'II*\0\x08\0\0\0', 'foreign', 'a TIFF picture'],
    ['a.pdf', '%PDF-1.7\n', 'document', 'a PDF document'],
    ['a.zip', zip('notes/may.md'), 'foreign', 'a ZIP archive'],
    ['a.docx', zip('[Content_Types].xml'), 'foreign', 'an Office document or e-book'],
    ['a.epub', zip('mimetype', 'application/epub+zip'), 'foreign', 'an Office document or e-book'],
    ['a.keras', zip('metadata.json', '{"keras_version": "3"}'), 'foreign', 'a Keras model'],
    ['a.npz', zip('weights.npy'), 'foreign', 'a NumPy archive'],
    ['a.pt', zip('m/code/__torch__.py'), 'foreign', 'a TorchScript program'],
    ['a.gz', '\x1f\x8b\x08\0', 'foreign', 'a gzip archive'],
    ['a.7z', '7z\xbc\xaf\x27\x1c', 'foreign', 'a 7-Zip archive'],
    ['a.zst', '\x28\xb5\x2f\xfd', 'foreign', 'a Zstandard archive'],
    ['a.tar', `a.txt${'\0'.repeat(252)}ustar\0`, 'foreign', 'a tar archive'],
    ['a.mp3', 'ID3\x04', 'foreign', 'a sound recording (MP3)'],
    ['a.wav', 'RIFF\x10\0\0\0WAVEfmt ', 'foreign', 'a sound recording (WAV)'],
    ['a.mp4', '\0\0\0\x20ftypisom\0\0', 'foreign', 'a video (MP4)'],
    ['a.webm', '\x1aE\xdf\xa3\x01', 'foreign', 'a video (WebM or Matroska)'],
    ['a.onnx', '\x08\x07\x12\x07pytorch\x1a', 'weights', 'an ONNX model'],
    ['a', '\x08\x04\x12\x40\x0a\x10input', 'foreign', 'a Core ML model'],
    ['a.mlmodel', '\x08\x04\x12\x40\x12\x10', 'foreign', 'a Core ML model'],
    ['saved_model.pb', '\x08\x01\x12\x90\x80', 'foreign', 'a TensorFlow model'],
    ['a.tflite', '\x1c\0\0\0TFL3', 'foreign', 'a TensorFlow Lite model (LiteRT)'],
    ['a.litertlm', 'LITERTLM\x01\0', 'foreign', 'a LiteRT-LM bundle'],
    ['a.h5', '\x89HDF\r\n\x1a\n', 'foreign', 'an HDF5 file, such as a Keras model'],
    ['a.pkl', '\x80\x04\x95', 'foreign', 'a Python pickle'],
    ['a.npy', '\x93NUMPY\x01\0', 'foreign', 'a NumPy array'],
    [
      'a.model',
      '\x0a\x0e\x0a\x05<unk>\x15\0\0\0\0\x18\x02',
      'foreign',
      'a tokenizer (SentencePiece)',
    ],
    ['a.parquet', 'PAR1\x15', 'foreign', 'a Parquet table'],
    ['a.exe', 'MZ\x90\0', 'foreign', 'a program'],
    ['a.wasm', '\0asm\x01\0\0\0', 'foreign', 'a WebAssembly module'],
    ['a.bin', '\0'.repeat(64), 'foreign', 'a file of zeros only'],
    [
      'a.weights',
      'version https://git-lfs.github.com/spec/v1\noid',
      'foreign',
      'a Git LFS pointer',
    ],
    ['a.weights', '<!DOCTYPE html><title>404</title>', 'foreign', 'a web page (HTML)'],
    ['a.gguf', '\n  <html lang="en">', 'foreign', 'a web page (HTML)'],
    ['a.htm', '<html>', 'document', 'a web page (HTML)'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg">', 'foreign', 'an SVG picture'],
    [
      'config.json',
      '{"model_type": "bert"}',
      'foreign',
      'the description of a model (config.json)',
    ],
    ['m.json', '{"modelTopology": {}}', 'foreign', 'a TensorFlow.js model'],
    ['a.json', '{"title": "Otters"}', 'document', 'a JSON file'],
    ['questions', ': capitals\nAthens Greece', 'questions', 'a file of questions'],
    ['notes', 'Otters hold hands.', 'text', 'a text file'],
    ['notes', 'Fische schla\xc3', 'text', 'a text file'],
    ['notes', 'O\0t\0t\0e\0r\0s\0 \0s\0l\0', 'text', 'a text file'],
    ['a.ambryindex', 'AMBRYIDX\x01', 'index', 'a search index'],
    ['a.weights', '', 'empty', 'an empty file'],
    ['a', '\x01\x02\x03\xfe\xff', 'unknown', ''],
  ])('%s: %j is a %s: %s', (name, head, kind, known) => {
    expect(recognizeHead(bytes(head), name)).toMatchObject({ kind, name: known });
  });
});

test('a file is read no further than its head', async () => {
  const file = new File(['x'.repeat(headBytes), '\0\0\0'], 'long.txt');
  expect((await recognize(file)).kind).toBe('text');
});

test('every kind of file that a page opens names that page', () => {
  const pageOf = (name: string, head: string) => useOf(recognizeHead(bytes(head), name))?.page;
  expect(pageOf('a.png', '\x89PNG\r\n\x1a\n')).toBe('classify');
  expect(pageOf('a.amb', 'AMBEE\0')).toBe('chat');
  expect(pageOf('a.fifu', 'FiFu\0')).toBe('words');
  expect(pageOf('a.weights', 'EMBD')).toBe('search');
  expect(pageOf('a.pdf', '%PDF-')).toBe('search');
  expect(pageOf('a.mp3', 'ID3')).toBeUndefined();
  // A GGUF file runs on one of two pages.
  expect(pageOf('a.gguf', 'GGUF')).toBeUndefined();
});
