import { cp, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';

/** Texts of migrations by subgraph, and by name. */
export type Migrations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Copies the built project below a folder, with migrations more. Returns the root of the copy. */
export async function nextVersion(parent: string, migrations: Migrations): Promise<string> {
  const root = await mkdtemp(join(parent, 'version-'));
  for (const name of ['dist', 'gateway', 'kernel', 'subgraphs', 'schema', 'dashboard', 'scripts', 'package.json'])
    await cp(join(packageRoot(), name), join(root, name), { recursive: true });
  await symlink(join(packageRoot(), 'node_modules'), join(root, 'node_modules'));
  await addMigrations(root, migrations);
  return root;
}

/** Adds migrations to such a copy, after all others. */
export async function addMigrations(root: string, migrations: Migrations): Promise<void> {
  for (const [subgraph, texts] of Object.entries(migrations))
    for (const [name, text] of Object.entries(texts))
      await writeFile(join(root, 'subgraphs', subgraph, 'migrations', `20991231${name}.sql`), text);
}
