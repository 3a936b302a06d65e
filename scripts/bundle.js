import { createHash } from 'node:crypto';
import module from 'node:module';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAtomically } from './write-atomically.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const target = path.join(dist, 'bundle');
const stampFile = path.join(target, '.stamp');

/** Packages of many small files that every start loads. Others stay packages; of `graphql` there may be one copy only. */
const INLINED = new Set(
  `@apollo @as-integrations @fastify @graphql-tools @graphql-yoga @mikro-orm @noble @polkadot @repeaterjs @scure @whatwg-node
  ajv ajv-formats avvio busboy cron-parser fast-json-stringify fast-querystring fastify find-my-way graphql-jit graphql-scalars
  graphql-ws ipaddr.js jose kysely lru-cache luxon mime negotiator oauth4webapi openid-client pg-boss pino pino-std-serializers
  semver standardwebhooks stripe type-graphql whatwg-mimetype ws zod`.split(/\s+/),
);

/** Programs of gateway/entrypoints that operators run. */
const PROGRAMS = ['platform', 'subgraph', 'router', 'backup', 'restore', 'migrate', 'reseal'];

const ROW_DECORATORS = '@mikro-orm/decorators/legacy';

/** Makes the decorators of row classes do nothing: only a test reads what they record, and they load the whole ORM. */
const WITHOUT_ORM = {
  name: 'without-orm',
  resolveId: (id) => (id === ROW_DECORATORS ? id : null),
  load: (id) =>
    id === ROW_DECORATORS
      ? 'const none = () => () => {}; export { none as Entity, none as PrimaryKey, none as Property };'
      : null,
};

/** Bundles, with their entries by name in dist/bundle. A worker is started by its URL beside the code that starts it. */
const BUNDLES = [
  {
    input: {
      ...Object.fromEntries(PROGRAMS.map((name) => [name, path.join(dist, `gateway/entrypoints/${name}.js`)])),
      prove: path.join(dist, 'subgraphs/accounts/ledger/proof/prove.js'),
      worker: path.join(dist, 'subgraphs/network/compile/workers/worker.js'),
    },
    external: isExternal,
    plugins: [WITHOUT_ORM],
    // Nothing is removed: a call whose result is unused can still throw, such as decodeURIComponent.
    treeshake: false,
  },
  // One command uses little of its packages. `pg` stays a package: only one check of `doctor` loads it.
  { input: { cli: path.join(dist, 'cli/main.js') }, external: ['pg'] },
];

/** Running processes may still load chunks of an earlier bundle. */
const OBSOLETE_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Joins the compiled files of the programs and the packages that they always load into few files, because finding, reading and
 * compiling 3,000 files is a third of a start; and those of the command line, whose 340 files are more than half of a command.
 * The files are written atomically, chunks before entries.
 */
export async function buildBundle() {
  const stamp = await hashInputs();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  const output = (await Promise.all(BUNDLES.map(bundleOf))).flat();
  await mkdir(target, { recursive: true });
  for (const { fileName, code } of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    await writeAtomically(path.join(target, fileName), code);
  await removeObsolete(new Set(output.map(({ fileName }) => fileName)));
  await writeAtomically(stampFile, stamp);
}

async function bundleOf(options) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ ...options, platform: 'node', logLevel: 'silent' });
  // The names of classes are names of GraphQL types.
  const names = { keepNames: true, chunkFileNames: '[name]-[hash].js' };
  const { output } = await bundle.generate({ format: 'esm', minify: false, ...names });
  await bundle.close();
  return output;
}

async function hashInputs() {
  const hash = createHash('sha256');
  for (const file of ['dist/.build.json', 'package-lock.json', 'scripts/bundle.js'])
    hash.update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

/** Whether an import stays one. A package that the importer has in another version than the bundle would find is inlined too. */
function isExternal(id, importer) {
  if (id.startsWith('.') || path.isAbsolute(id)) return false;
  const [scope, name] = id.split('/');
  if (INLINED.has(scope) || INLINED.has(`${scope}/${name}`)) return false;
  return module.isBuiltin(id) || importer === undefined || foundFrom(importer, id) === foundFrom(target, id);
}

/** The file of a package from a place; undefined if it is not installed. */
function foundFrom(place, id) {
  try {
    return module.createRequire(path.join(place, 'x')).resolve(id);
  } catch {
    return undefined;
  }
}

async function removeObsolete(names) {
  const files = (await readdir(target)).filter((name) => name.endsWith('.js') && !names.has(name));
  for (const file of files.map((name) => path.join(target, name))) {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > OBSOLETE_AFTER_MS) await rm(file, { force: true });
  }
}
