import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';

export interface SourceFile {
  /** Path from the package root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns the files in these folders with this name ending. */
export function filesIn(folders: readonly string[], ending: string): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: file.slice(packageRoot().length + 1), text: readFileSync(file, 'utf8') })),
  );
}

/** The production code. */
export function code(): SourceFile[] {
  return filesIn(['gateway', 'kernel', 'subgraphs'], '.ts');
}
