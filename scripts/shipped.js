import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The package of the font, of which `font.js` takes a part. */
const FONT = '@fontsource-variable/inter';

/** Runs npm with these words over all packages that are shipped: those that are installed, and those in the bundle for browsers. */
async function runNpm(words) {
  const parent = await mkdtemp(path.join(tmpdir(), 'archipelago-shipped-'));
  try {
    const folder = path.join(parent, 'archipelago');
    await mkdir(folder);
    await writeShipped(folder);
    return spawnSync('npm', [...words, '--package-lock-only'], { cwd: folder, stdio: 'inherit' }).status ?? 1;
  } finally {
    await rm(parent, { recursive: true });
  }
}

/**
 * Writes the package without what is only for development. What the dashboard imports is a dependency there: its bundle has it.
 * `--omit dev` is no help: `npm sbom` then leaves out every package that is also for development of another one, such as `pg`.
 */
async function writeShipped(folder) {
  const [manifest, lock] = await Promise.all(['package.json', 'package-lock.json'].map(readJson));
  const imported = await importsOf('dashboard');
  for (const [name, range] of Object.entries(manifest.devDependencies)) {
    if (!imported.has(name) && name !== FONT) continue;
    for (const { dependencies } of [manifest, lock.packages['']]) dependencies[name] = range;
    markShipped(lock.packages, `node_modules/${name}`);
  }
  for (const { devDependencies } of [manifest, lock.packages['']])
    for (const name of Object.keys(devDependencies)) delete devDependencies[name];
  for (const [place, { dev }] of Object.entries(lock.packages)) if (dev) delete lock.packages[place];
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

async function readJson(name) {
  return JSON.parse(await readFile(path.join(root, name), 'utf8'));
}

/** The names of the packages that the sources in a folder import. */
async function importsOf(folder) {
  const entries = await readdir(path.join(root, folder), { recursive: true });
  const sources = entries.filter((name) => /\.(tsx?|css)$/.test(name)).map((name) => path.join(root, folder, name));
  const texts = await Promise.all(sources.map((file) => readFile(file, 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(/\b(?:from|import) ['"]((?:@[\w-]+\/)?[\w.-]+)/g)]);
  return new Set(found.map(([, name]) => name));
}

/** Marks a locked package, and all that it needs, as packages that are not only for development. */
function markShipped(packages, place) {
  const locked = packages[place];
  if (!locked?.dev) return;
  delete locked.dev;
  const { dependencies, peerDependencies, peerDependenciesMeta = {} } = locked;
  for (const name of Object.keys({ ...peerDependencies, ...dependencies }))
    if (!peerDependenciesMeta[name]?.optional) markShipped(packages, placeOf(packages, place, name));
}

/** The place of a package that another one finds, as Node looks for it. */
function placeOf(packages, importer, name) {
  const inside = `${importer}/node_modules/${name}`;
  const outer = importer.lastIndexOf('/node_modules/');
  if (inside in packages) return inside;
  return outer < 0 ? `node_modules/${name}` : placeOf(packages, importer.slice(0, outer), name);
}

process.exitCode = await runNpm(process.argv.slice(2));
