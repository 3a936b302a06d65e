import type { PathedFile } from './upload-queue';

/** The files of a drop, with those in dropped directories. Paths begin below `directory`. */
export async function droppedFiles(transfer: DataTransfer, directory: string): Promise<readonly PathedFile[]> {
  // The list of items is emptied as soon as this function waits.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = await Promise.all(entries.map((entry) => filesOf(entry)));
  return found.flat().map(({ path, file }) => ({ path: joined(directory, path), file }));
}

/** Chosen files, to be stored in a directory. */
export function chosenFiles(list: FileList | null, directory: string): readonly PathedFile[] {
  return [...(list ?? [])].map((file) => ({ path: joined(directory, file.name), file }));
}

function joined(directory: string, path: string): string {
  return directory === '' ? path : `${directory}/${path}`;
}

async function filesOf(entry: FileSystemEntry): Promise<PathedFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isFile(entry)) return [{ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  if (!isDirectory(entry)) return [];
  const found = await Promise.all((await childrenOf(entry)).map((child) => filesOf(child)));
  return found.flat();
}

/** Browsers give the entries of a directory in parts; an empty part is the last. */
async function childrenOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
