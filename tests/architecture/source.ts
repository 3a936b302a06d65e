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
    pathsIn(folder)
      .filter((path) => path.endsWith(ending))
      .map((path) => ({ path, text: readFileSync(join(packageRoot(), path), 'utf8') })),
  );
}

/** bench/peers can have packages of its own. */
function pathsIn(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pathsIn(path);
      return entry.isFile() ? [path] : [];
    });
}

/** Returns the number that the first group of the pattern matches in a file. Fails if the pattern matches nothing. */
export function numberIn(path: string, pattern: RegExp): number {
  const [, digits] = pattern.exec(readFileSync(join(packageRoot(), path), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`${path} has nothing like ${pattern}`);
  return Number(digits);
}

/** The production code. */
export function code(): SourceFile[] {
  return filesIn(['gateway', 'kernel', 'subgraphs'], '.ts');
}
