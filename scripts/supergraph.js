import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findNode } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const entry = path.join(dist, 'gateway/entrypoints/write-supergraph.js');
const target = path.join(dist, 'supergraph.json');
const stampFile = path.join(dist, '.supergraph.stamp');

/** Files besides the engine that the plans come from. */
const INPUTS = ['schema/supergraph.graphql', 'gateway/rest/operations.graphql', 'dist/documents.json'].concat([
  'package-lock.json',
  'scripts/supergraph.js',
]);

/** Sources of the code that plans. */
const CODE = /^gateway\/(engine|rest\/operations|entrypoints\/write-supergraph)/;

/** Writes dist/supergraph.json, from which a start reads the supergraph without planning, when its inputs have changed. */
export async function buildSupergraph() {
  const stamp = await hashInputs();
  const [last, output] = await Promise.all([readFile(stampFile, 'utf8').catch(() => ''), stat(target).catch(() => {})]);
  if (output && last === stamp) return;
  await promisify(execFile)(findNode(), [entry]);
  await writeFile(stampFile, stamp);
}

async function hashInputs() {
  const hash = createHash('sha256');
  for (const file of INPUTS) hash.update(await readFile(path.join(root, file)));
  const { files } = JSON.parse(await readFile(path.join(dist, '.build.json'), 'utf8'));
  for (const [file, changed] of Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (CODE.test(file)) hash.update(`${file} ${changed} `);
  return hash.digest('hex');
}
