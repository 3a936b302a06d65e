// Says whether the committed files of schema/ are what the code composes to. Runs on the built code.
import { readFile } from 'node:fs/promises';
import { composeSchemas } from '../dist/gateway/entrypoints/schema-files.js';

let stale = false;
for (const [name, text] of composeSchemas()) {
  const committed = await readFile(new URL(`../schema/${name}`, import.meta.url), 'utf8').catch(() => '');
  if (committed === text) continue;
  stale = true;
  console.error(`schema/${name} is not what the code says; \`npm run schema\` writes it.`);
}
process.exit(stale ? 1 : 0);
