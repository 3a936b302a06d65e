import { readdir } from 'node:fs/promises';
import { ConfigError } from '../config/environment.js';
import type { BackupOptions } from './backup.js';
import { KEY_FILES } from './key-files.js';
import { codeOf, type Manifest } from './folder.js';

/** The folder of the embedded database, and what a new disk has. */
const [DATABASE, LOST_AND_FOUND] = ['postgres', 'lost+found'];

/**
 * Checks where a backup is to be restored, before anything is created. With a database, also of an interrupted restore, that database tells
 * whether it is empty. @throws ConfigError if DATA_DIR has other files, or a store cannot be used
 */
export async function checkTarget(
  manifest: Pick<Manifest, 'keys'>,
  { config, subgraphs }: Pick<BackupOptions, 'config' | 'subgraphs'>,
): Promise<void> {
  const { databaseUrl, dataDir } = config;
  const present = await readdir(dataDir).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new ConfigError(`DATA_DIR is ${dataDir}, which cannot be read (${codeOf(error)}).`);
  });
  // A backup without keys needs those of the directory.
  const keys: readonly string[] = manifest.keys.length > 0 ? [] : KEY_FILES;
  const isOther = (name: string) => name !== LOST_AND_FOUND && !keys.includes(name);
  if (databaseUrl === undefined && !present.includes(DATABASE) && present.some(isOther))
    throw new ConfigError(`${dataDir} is not empty: restore into a new directory, by DATA_DIR.`);
  for (const subgraph of subgraphs) {
    if (!subgraph.objects) continue;
    const fault = await subgraph.findFault?.(config[subgraph.name], config);
    if (fault !== undefined) throw new ConfigError(fault);
  }
}
