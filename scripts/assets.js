import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.join(root, 'dist/static');
const stampFile = path.join(target, '.stamp.json');

/** Folders of files that browsers load, by the name under which the gateway finds them. */
const FOLDERS = {
  dashboard: 'dashboard',
  logos: 'gateway/pages/logos',
  explorer: 'node_modules/altair-static/build/dist',
  reference: 'node_modules/@fastify/swagger-ui/static',
};

const COMPRESSED = /\.(?:js|css|svg|html|json)$/;

/** Bytes below which a file is not compressed: it fits into one packet anyway. */
const MIN_BYTES = 1_024;

/** High enough that files are small, low enough that a first start waits about a second. */
const ENCODINGS = [
  { ending: '.br', encode: promisify(brotliCompress), options: { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } } },
  { ending: '.gz', encode: promisify(gzip), options: { level: 9 } },
];

/** Copies what browsers load into dist/static, each file with its compressed forms beside it, where something changed. */
export async function buildAssets() {
  const files = await listFiles();
  const stamp = JSON.stringify(files);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  const wanted = (await Promise.all(files.map(buildFile))).flat();
  const there = await readdir(target, { recursive: true, withFileTypes: true });
  const orphans = there
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => file !== stampFile && !wanted.includes(file));
  await Promise.all(orphans.map((file) => rm(file, { force: true })));
  await whole(stampFile, (temporary) => writeFile(temporary, stamp));
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

/** Returns the paths of what was written. */
async function buildFile({ source, output, mtimeMs, size }) {
  const file = path.join(target, output);
  const seconds = mtimeMs / 1_000;
  const put = (name, write) =>
    whole(name, async (temporary) => {
      await write(temporary);
      await utimes(temporary, seconds, seconds);
    });
  await put(file, (temporary) => copyFile(path.join(root, source), temporary));
  if (size < MIN_BYTES || !COMPRESSED.test(file)) return [file];
  const bytes = await readFile(path.join(root, source));
  const encoded = ENCODINGS.map(async ({ ending, encode, options }) => {
    const short = await encode(bytes, options);
    await put(file + ending, (temporary) => writeFile(temporary, short));
    return file + ending;
  });
  return [file, ...(await Promise.all(encoded))];
}

/** A file is there whole or not at all, also for two builds at once. */
async function whole(file, write) {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  await write(temporary);
  await rename(temporary, file);
}
