// Checks that the committed files of schema/ match the code. Runs on the built code.
import { readFile } from 'node:fs/promises';
import { composeSchemas } from '../dist/gateway/entrypoints/schema-files.js';

let stale = false;
for (const [name, text] of composeSchemas()) {
  const committed = await readFile(new URL(`../schema/${name}`, import.meta.url), 'utf8').catch(() => '');
  if (committed === text) continue;
  stale = true;
  console.error(`schema/${name} does not match the code; run \`npm run schema\`.`);
}
process.exit(stale ? 1 : 0);
