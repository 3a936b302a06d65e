import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAssets } from './assets.js';
import { buildBundle } from './bundle.js';
import { buildDashboard } from './dashboard.js';
import { buildSupergraph } from './supergraph.js';
import { writeAtomically } from './write-atomically.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.build.json');
const SOURCES = [
  'gateway',
  'subgraphs',
  'kernel',
  'sdk',
  'cli',
  'tests/kit',
  'tests/overlay',
  'tests/cluster',
  'bench',
];

/**
 * Compiles the TypeScript files that changed since the last build into dist/ and removes outputs without a source. Files
 * are written atomically, so that two builds can run at once. @param withPlans whether operations are planned
 */
export async function build({ withPlans = true } = {}) {
  const [code, dashboard] = [buildCode(), buildDashboard()];
  const plans = Promise.all([code, dashboard]).then(() => withPlans && buildSupergraph());
  await Promise.all([code.then(buildBundle), dashboard.then(buildAssets), plans]);
}

/** Builds what the command line runs: neither dashboard nor plans. */
export async function buildCommandLine() {
  await buildCode();
  await buildBundle();
}

async function buildCode() {
  const settings = await readFile(path.join(root, '.swcrc'), 'utf8');
  const compiler = await readFile(path.join(root, 'node_modules/@swc/core/package.json'), 'utf8');
  const key = createHash('sha256').update(settings).update(JSON.parse(compiler).version).digest('hex');
  const [sources, outputs, last] = await Promise.all([listSources(), listOutputs(), readStamp(key)]);
  const stale = [...sources].filter(([file, stamp]) => last[file] !== stamp || !outputs.has(outputOf(file)));
  const expected = new Set([...sources.keys()].map(outputOf));
  const obsolete = [...outputs].filter((file) => !expected.has(file.replace(/\.map$/, '')));
  if (stale.length === 0 && obsolete.length === 0) return;
  await Promise.all(obsolete.map((file) => rm(path.join(dist, file), { force: true })));
  if (stale.length > 0)
    await compileAll(
      stale.map(([file]) => file),
      JSON.parse(settings),
    );
  await writeAtomically(stampFile, JSON.stringify({ key, files: Object.fromEntries(sources) }));
}

/** Returns the modification time and size of each source. */
async function listSources() {
  const lists = await Promise.all(SOURCES.map((dir) => listFiles(path.join(root, dir))));
  const files = lists.flat().filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const { mtimeMs, size } = await stat(file);
        return [path.relative(root, file), `${mtimeMs} ${size}`];
      }),
    ),
  );
}

async function listOutputs() {
  const lists = await Promise.all(SOURCES.map((dir) => listFiles(path.join(dist, dir))));
  return new Set(
    lists
      .flat()
      .filter((file) => !file.endsWith('.tmp'))
      .map((file) => path.relative(dist, file)),
  );
}

async function listFiles(dir) {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const lists = entries
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const file = path.join(dir, entry.name);
      if (entry.isDirectory()) return listFiles(file);
      return entry.isFile() ? [file] : [];
    });
  return (await Promise.all(lists)).flat();
}

async function readStamp(key) {
  const stamp = await readFile(stampFile, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  return stamp.key === key ? stamp.files : {};
}

function outputOf(file) {
  return file.replace(/\.ts$/, '.js');
}

async function compileAll(files, settings) {
  const { transformFile } = await import('@swc/core');
  const compile = async (file) => {
    const output = path.join(dist, outputOf(file));
    const source = path.join(root, file);
    const sourceFileName = path.relative(path.dirname(output), source);
    const { code, map } = await transformFile(source, { ...settings, swcrc: false, configFile: false, sourceFileName });
    await mkdir(path.dirname(output), { recursive: true });
    if (map) await writeAtomically(`${output}.map`, map);
    await writeAtomically(output, map ? `${code}\n//# sourceMappingURL=${path.basename(output)}.map\n` : code);
  };
  const failures = (await Promise.allSettled(files.map(compile))).filter(({ status }) => status === 'rejected');
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason.message ?? String(reason)).join('\n'));
}
