/** A file of the volume. */
export interface VolumeFile {
  /** As Linux shows it; 1 to 64 letters, digits, dots and dashes. */
  readonly name: string;
  readonly content: string;
}

const SECTOR = 2048;
/** Sector layout: 16 system sectors, 3 descriptors, 2 path tables in both byte orders, 2 directories, then files. */
const AT = {
  primary: 16,
  joliet: 17,
  end: 18,
  path: 19,
  jolietPath: 21,
  directory: 23,
  jolietDirectory: 24,
  files: 25,
};

/**
 * Writes the files as an ISO 9660 image with Joliet names. Own code, so that no host needs an external tool.
 * Source: ECMA-119; Joliet Specification, 1995
 * @param label up to 16 capital letters, or `cidata` for cloud-init
 */
export function volumeOf(label: string, files: readonly VolumeFile[]): Buffer {
  const placed = place(files);
  const plain = directory(AT.directory, placed, (name) => Buffer.from(name.toUpperCase(), 'latin1'));
  const joliet = directory(AT.jolietDirectory, placed, inUcs);
  const last = placed.at(-1);
  const sectors = last ? last.sector + sectorsOf(last.bytes.length) : AT.files;
  const volume = Buffer.alloc(sectors * SECTOR);
  const put = (bytes: Buffer, sector: number) => bytes.copy(volume, sector * SECTOR);
  put(descriptor({ label: Buffer.from(label, 'latin1'), sectors, root: AT.directory, isJoliet: false }), AT.primary);
  put(descriptor({ label: inUcs(label), sectors, root: AT.jolietDirectory, isJoliet: true }), AT.joliet);
  put(Buffer.from('\xffCD001\x01', 'latin1'), AT.end);
  for (const [root, at] of [
    [AT.directory, AT.path],
    [AT.jolietDirectory, AT.jolietPath],
  ] as const) {
    put(pathTable(root, 'LE'), at);
    put(pathTable(root, 'BE'), at + 1);
  }
  put(plain, AT.directory);
  put(joliet, AT.jolietDirectory);
  for (const { bytes, sector } of placed) put(bytes, sector);
  return volume;
}

interface PlacedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sector: number;
}

/** Places files one after the other, sorted by name as the standard requires. */
function place(files: readonly VolumeFile[]): PlacedFile[] {
  let sector = AT.files;
  return files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => {
      const bytes = Buffer.from(content);
      const placed = { name, bytes, sector };
      sector += sectorsOf(bytes.length);
      return placed;
    });
}

function sectorsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / SECTOR));
}

function inUcs(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

interface Descriptor {
  readonly label: Buffer;
  readonly sectors: number;
  readonly root: number;
  readonly isJoliet: boolean;
}

/** Source: ECMA-119, 8.4 and 8.5 */
function descriptor({ label, sectors, root, isJoliet }: Descriptor): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes.write(`${isJoliet ? '\x02' : '\x01'}CD001\x01`, 'latin1');
  const blank = isJoliet ? inUcs(' ') : Buffer.from(' ');
  for (const [from, length] of TEXTS) for (let at = from; at < from + length; at += blank.length) blank.copy(bytes, at);
  label.copy(bytes, 40, 0, 32);
  writeBothEndian(bytes, 80, sectors);
  // The escape sequence of UCS-2, level 3.
  if (isJoliet) bytes.write('%/E', 88, 'latin1');
  for (const [at, value] of [
    [120, 1],
    [124, 1],
    [128, SECTOR],
  ] as const) {
    bytes.writeUInt16LE(value, at);
    bytes.writeUInt16BE(value, at + 2);
  }
  writeBothEndian(bytes, 132, PATH_BYTES);
  const path = isJoliet ? AT.jolietPath : AT.path;
  bytes.writeUInt32LE(path, 140);
  bytes.writeUInt32BE(path + 1, 148);
  record(Buffer.from([0]), { sector: root, length: SECTOR, isDirectory: true }).copy(bytes, 156);
  // No dates, so that the same files give the same volume.
  for (const at of [813, 830, 847, 864]) bytes.fill('0', at, at + 16);
  bytes[881] = 1;
  return bytes;
}

/** Offset and length of the text fields of a descriptor. */
const TEXTS = [
  [8, 32],
  [40, 32],
  [190, 512],
  [702, 110],
] as const;

/** A path table with only the root. Source: ECMA-119, 9.4 */
function pathTable(root: number, order: 'LE' | 'BE'): Buffer {
  const bytes = Buffer.alloc(PATH_BYTES);
  bytes[0] = 1;
  bytes[`writeUInt32${order}`](root, 2);
  bytes[`writeUInt16${order}`](1, 6);
  return bytes;
}

const PATH_BYTES = 10;

function directory(root: number, files: readonly PlacedFile[], written: (name: string) => Buffer): Buffer {
  const itself = { sector: root, length: SECTOR, isDirectory: true };
  const entries = [record(Buffer.from([0]), itself), record(Buffer.from([1]), itself)];
  for (const { name, bytes, sector } of files)
    entries.push(record(written(`${name};1`), { sector, length: bytes.length, isDirectory: false }));
  const bytes = Buffer.concat(entries);
  if (bytes.length > SECTOR) throw new Error('the volume has more files than one sector of directory holds');
  return bytes;
}

interface Extent {
  readonly sector: number;
  readonly length: number;
  readonly isDirectory: boolean;
}

/** Source: ECMA-119, 9.1 */
function record(name: Buffer, { sector, length, isDirectory }: Extent): Buffer {
  const bytes = Buffer.alloc(33 + name.length + ((33 + name.length) % 2));
  bytes[0] = bytes.length;
  writeBothEndian(bytes, 2, sector);
  writeBothEndian(bytes, 10, length);
  bytes[25] = isDirectory ? 2 : 0;
  bytes.writeUInt16LE(1, 28);
  bytes.writeUInt16BE(1, 30);
  bytes[32] = name.length;
  name.copy(bytes, 33);
  return bytes;
}

function writeBothEndian(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32LE(value, at);
  bytes.writeUInt32BE(value, at + 4);
}
