// Checkpoints of PyTorch, made of the tensors of a safetensors file: an archive that `torch.save` could have written.
// core/formats/pytorch/README.md describes it.

interface Made {
  readonly name: string;
  readonly shape: readonly number[];
  /** f32. */
  readonly data: Uint8Array;
}

/** The f32 tensors of a safetensors file. */
export function tensorsIn(file: Uint8Array): Made[] {
  const dataAt = 8 + Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, dataAt))) as Record<
    string,
    { dtype: string; shape: readonly number[]; data_offsets: readonly [number, number] }
  >;
  const tensors = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return tensors.map(
    ([
      name,
      {
        shape,
        data_offsets: [from, to],
      },
    ]) => ({
      name,
      shape,
      data: file.subarray(dataAt + from, dataAt + to),
    }),
  );
}

export function pytorchFile(tensors: readonly Made[]): Uint8Array<ArrayBuffer> {
  const members: [string, Uint8Array][] = [
    ['archive/data.pkl', pickleOf(tensors)],
    ...tensors.map(({ data }, i): [string, Uint8Array] => [`archive/data/${i}`, data]),
  ];
  return storedZip(members);
}

function pickleOf(tensors: readonly Made[]): Uint8Array {
  const parts: Buffer[] = [];
  const raw = (code: string) => parts.push(Buffer.from(code, 'latin1'));
  const number = (n: number) => {
    const bytes = Buffer.alloc(5);
    bytes.write('J', 'latin1');
    bytes.writeInt32LE(n, 1);
    parts.push(bytes);
  };
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    const head = Buffer.alloc(5);
    head.write('X', 'latin1');
    head.writeUInt32LE(bytes.length, 1);
    parts.push(head, bytes);
  };
  const tuple = (numbers: readonly number[]) => {
    raw('(');
    numbers.forEach(number);
    raw('t');
  };
  raw('\x80\x02ccollections\nOrderedDict\n)R(');
  for (const [i, { name, shape, data }] of tensors.entries()) {
    text(name);
    raw('ctorch._utils\n_rebuild_tensor_v2\n((');
    text('storage');
    raw('ctorch\nFloatStorage\n');
    text(String(i));
    text('cpu');
    number(data.length / 4);
    raw('tQ');
    number(0);
    tuple(shape);
    tuple(shape.map((_, axis) => shape.slice(axis + 1).reduce((product, n) => product * n, 1)));
    raw('\x89ccollections\nOrderedDict\n)RtR');
  }
  raw('u.');
  return Buffer.concat(parts);
}

/** Members without compression. A CRC of 0 counts as none. */
function storedZip(members: readonly [string, Uint8Array][]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, data] of members) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, Buffer.from(name));
    pieces.push(Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), data);
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...pieces, directory, end]));
}
