import { copyFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { writeAtomically } from './write-atomically.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.join(root, 'dist/static');
const stampFile = path.join(target, '.stamp.json');

/** Source folders of static files, by their name in dist/static. */
const FOLDERS = {
  dashboard: 'dist/dashboard',
  logos: 'gateway/pages/logos',
  explorer: 'node_modules/altair-static/build/dist',
  reference: 'node_modules/@fastify/swagger-ui/static',
};

const COMPRESSED = /\.(?:js|css|svg|html|json)$/;

/** Smaller files are not compressed: they fit into one packet. */
const MIN_BYTES = 1_024;

/** Every visitor loads the dashboard: Brotli takes its time for it. Level 6 of the others, and of what is larger, takes a second in all. */
const BEST_BROTLI = { folder: 'dashboard', level: 11, maxBytes: 500_000 };
const OTHER_BROTLI_LEVEL = 6;

/** Copies the static files and their compressed variants into dist/static when a source has changed. */
export async function buildAssets() {
  const files = await listFiles();
  const stamp = JSON.stringify(files);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  const outputs = (await Promise.all(files.map(buildFile))).flat();
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const obsolete = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => file !== stampFile && !outputs.includes(file));
  await Promise.all(obsolete.map((file) => rm(file, { force: true })));
  await writeAtomically(stampFile, stamp);
}

async function listFiles() {
  const lists = await Promise.all(
    Object.entries(FOLDERS).map(async ([name, folder]) => {
      const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
      const sources = entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
      return Promise.all(
        sources.map(async (source) => {
          const { mtimeMs, size } = await stat(source);
          const output = path.join(name, path.relative(path.join(root, folder), source));
          return { source: path.relative(root, source), output, mtimeMs, size };
        }),
      );
    }),
  );
  return lists.flat();
}

/** Writes a file and its compressed variants. Returns their paths. */
async function buildFile({ source, output, mtimeMs, size }) {
  const file = path.join(target, output);
  const seconds = mtimeMs / 1_000;
  const writeVariant = (name, write) =>
    writeAtomically(name, async (temporary) => {
      await write(temporary);
      await utimes(temporary, seconds, seconds);
    });
  await writeVariant(file, (temporary) => copyFile(path.join(root, source), temporary));
  if (size < MIN_BYTES || !COMPRESSED.test(file)) return [file];
  const bytes = await readFile(path.join(root, source));
  const isBest = output.startsWith(BEST_BROTLI.folder + path.sep) && size <= BEST_BROTLI.maxBytes;
  const level = isBest ? BEST_BROTLI.level : OTHER_BROTLI_LEVEL;
  const encodings = {
    '.br': promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
    '.gz': promisify(gzip)(bytes, { level: 9 }),
  };
  const encoded = Object.entries(encodings).map(async ([ending, encoding]) => {
    const compressed = await encoding;
    await writeVariant(file + ending, (temporary) => writeFile(temporary, compressed));
    return file + ending;
  });
  return [file, ...(await Promise.all(encoded))];
}
