// Files that are told by their first bytes alone. The core has a table like this for its own messages
// (core/formats/foreign.cpp). Pages need one before a worker has started, and for pictures and documents.

import { type FileKind, known, type Recognized } from './kinds.ts';

type Row = readonly [bytes: string, kind: FileKind, name: string, advice?: string, at?: number];

const unpack = 'Unpack it, and choose the file that is inside.';
const needsWeights = 'Ambry reads the same model from its model.safetensors, if it has one.';
const convertAgain = 'Convert the original model to GGUF again.';
const asPicture = 'Save it as PNG or JPEG first.';
const asText = 'Save it as text, HTML or PDF first.';

/** Bytes in Latin-1. */
const rows: readonly Row[] = [
  ['\x89PNG\r\n\x1a\n', 'picture', 'a PNG picture'],
  ['\xff\xd8\xff', 'picture', 'a JPEG picture'],
  ['GIF8', 'picture', 'a GIF picture'],
  ['WEBP', 'picture', 'a WebP picture', '', 8],
  ['ftypavif', 'picture', 'an AVIF picture', '', 4],
  ['ftypavis', 'picture', 'an AVIF picture', '', 4],
  ['ftyphe', 'foreign', 'a HEIC picture', asPicture, 4],
  ['ftypmif1', 'foreign', 'a HEIC picture', asPicture, 4],
  ['II*\0', 'foreign', 'a TIFF picture', asPicture],
  ['MM\0*', 'foreign', 'a TIFF picture', asPicture],
  ['8BPS', 'foreign', 'a Photoshop picture', asPicture],
  ['\0\0\0\x0cJXL ', 'foreign', 'a JPEG XL picture', asPicture],
  ['\0\0\x01\0', 'foreign', 'an icon (ICO)', asPicture],

  ['%PDF-', 'document', 'a PDF document'],
  ['{\\rtf', 'foreign', 'an RTF document', asText],
  ['\xd0\xcf\x11\xe0', 'foreign', 'an old Office document', asText],

  ['\x1f\x8b', 'foreign', 'a gzip archive', unpack],
  ['BZh', 'foreign', 'a bzip2 archive', unpack],
  ['\xfd7zXZ', 'foreign', 'an xz archive', unpack],
  ['\x28\xb5\x2f\xfd', 'foreign', 'a Zstandard archive', unpack],
  ['\x04\x22\x4d\x18', 'foreign', 'an LZ4 archive', unpack],
  ['7z\xbc\xaf\x27\x1c', 'foreign', 'a 7-Zip archive', unpack],
  ['Rar!\x1a\x07', 'foreign', 'a RAR archive', unpack],
  ['ustar', 'foreign', 'a tar archive', unpack, 257],
  ['PK\x05\x06', 'foreign', 'an empty ZIP archive'],

  ['ID3', 'foreign', 'a sound recording (MP3)'],
  ['\xff\xfb', 'foreign', 'a sound recording (MP3)'],
  ['fLaC', 'foreign', 'a sound recording (FLAC)'],
  ['WAVE', 'foreign', 'a sound recording (WAV)', '', 8],
  ['OggS', 'foreign', 'a sound recording or video (Ogg)'],
  ['MThd', 'foreign', 'a piece of music (MIDI)'],
  ['ftypM4A', 'foreign', 'a sound recording (M4A)', '', 4],
  ['ftyp', 'foreign', 'a video (MP4)', '', 4],
  ['\x1aE\xdf\xa3', 'foreign', 'a video (WebM or Matroska)'],
  ['AVI ', 'foreign', 'a video (AVI)', '', 8],

  ['TFL3', 'foreign', 'a TensorFlow Lite model (LiteRT)', needsWeights, 4],
  ['LITERTLM', 'foreign', 'a LiteRT-LM bundle', needsWeights],
  ['\x89HDF\r\n\x1a\n', 'foreign', 'an HDF5 file, such as a Keras model', needsWeights],
  ['\x93NUMPY', 'foreign', 'a NumPy array', 'Save the model as safetensors.'],
  ['\x80\x02', 'foreign', 'a Python pickle', needsWeights],
  ['\x80\x03', 'foreign', 'a Python pickle', needsWeights],
  ['\x80\x04', 'foreign', 'a Python pickle', needsWeights],
  ['\x80\x05', 'foreign', 'a Python pickle', needsWeights],
  ['lmgg', 'foreign', 'a GGML model of before 2023', convertAgain],
  ['fmgg', 'foreign', 'a GGMF model of early 2023', convertAgain],
  ['tjgg', 'foreign', 'a GGJT model of 2023', convertAgain],

  ['PAR1', 'foreign', 'a Parquet table', 'Save it as CSV or JSON Lines first.'],
  ['ARROW1', 'foreign', 'an Arrow table', 'Save it as CSV or JSON Lines first.'],
  ['SQLite format 3\0', 'foreign', 'an SQLite database', 'Export a table as CSV first.'],
  ['\x7fELF', 'foreign', 'a program'],
  ['\xcf\xfa\xed\xfe', 'foreign', 'a program'],
  ['\xca\xfe\xba\xbe', 'foreign', 'a program'],
  ['MZ\x90', 'foreign', 'a program'],
  ['\0asm', 'foreign', 'a WebAssembly module'],

  ['AMBRYIDX', 'index', 'a search index'],
  [
    'version https://git-lfs',
    'foreign',
    'a Git LFS pointer',
    'It only names the file. Run “git lfs pull”, or download the file itself.',
  ],
];

/** What a file with these first bytes is, in Latin-1. */
export function byBeginning(head: string): Recognized | undefined {
  const row = rows.find(([bytes, , , , at = 0]) => head.startsWith(bytes, at));
  return row && known(row[1], row[2], row[3]);
}
