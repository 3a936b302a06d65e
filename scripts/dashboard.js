import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dashboardFont } from './font.js';
import { writeAtomically } from './write-atomically.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'dashboard');
/** Folders whose files are bundled, or whose documents are listed. */
const SOURCES = ['dashboard', 'sdk/src', 'cli'];
const target = path.join(root, 'dist/dashboard');
/** The font that the style sheets name. */
const fontFile = path.join(root, 'dist/inter.woff2');
const typesFile = path.join(root, 'dist/dashboard-types/graphql-env.d.ts');
/** The documents of the dashboard and of the command line, for `TRUSTED_DOCUMENTS`. */
const documentsFile = path.join(root, 'dist/documents.json');
const stampFile = path.join(root, 'dist/.dashboard.json');
const SUPERGRAPH = 'schema/supergraph.graphql';

/** Icons, the parts of Radix that its components share, and components without a library of their own. A file costs a request. */
const SHARED_PARTS =
  /lucide-react|@radix-ui\/(primitive|react-(slot|presence|primitive|context|compose-refs|id|use-[\w-]+))\/|dashboard\/(components\/([a-z]+\/)?(badge|card|copy|fields|form|query-view|focus|tabs)|pages\/network\/(graph\/focus|peer-status)|graphql\/done)\./;

/** Loads the font beside the scripts: text that is drawn before it comes moves what is below. */
const PRELOADED_FONT = {
  name: 'preloaded-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle: files }) =>
      Object.keys(files)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => {
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/dashboard/${name}` };
          return { tag: 'link', attrs, injectTo: 'head' };
        }),
  },
};

/** Libraries below others, of which the dashboard cannot use all; each file says why. */
const REPLACED = {
  'react-remove-scroll': path.join(source, 'components/overlays/scroll-lock.tsx'),
  'd3-color': path.join(source, 'pages/network/graph/no-colors.ts'),
};

/** Files that Vite does not bundle: browsers ask for them by these names. */
const COPIED = ['favicon.ico', 'icon.svg'];

/** Bundles the dashboard into dist/dashboard, and writes the types and the manifest of its operations, when a source has changed. */
export async function buildDashboard() {
  const stamp = await sourceHash();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp && (await areOutputsThere())) return;
  const [files] = await Promise.all([bundle(), writeTypes(), writeDocuments()]);
  for (const [name, content] of files) await writeAtomically(path.join(target, name), content);
  const obsolete = (await listFiles(target)).filter((name) => !files.has(name) && !name.endsWith('.tmp'));
  await Promise.all(obsolete.map((name) => rm(path.join(target, name), { force: true })));
  await writeAtomically(stampFile, stamp);
}

/** Hash of the sources, of the schema and of the lockfile. */
async function sourceHash() {
  const lists = await Promise.all(SOURCES.map(async (folder) => [folder, await listFiles(path.join(root, folder))]));
  const names = lists.flatMap(([folder, files]) => files.toSorted().map((name) => path.join(folder, name)));
  const hash = createHash('sha256');
  for (const name of [
    ...names,
    SUPERGRAPH,
    'package-lock.json',
    'scripts/dashboard.js',
    'scripts/documents.js',
    'scripts/font.js',
  ])
    hash.update(name).update(await readFile(path.join(root, name)));
  return hash.digest('hex');
}

async function areOutputsThere() {
  const files = [path.join(target, 'index.html'), typesFile, documentsFile];
  return (await Promise.all(files.map((file) => stat(file).catch(() => undefined)))).every(Boolean);
}

/** Returns the contents of the built files by name. They are not written here, so that two builds can run at once. */
export async function bundle() {
  const { NODE_ENV } = process.env;
  const { build } = await import('vite');
  await writeAtomically(fontFile, await dashboardFont());
  // Vite sets it for this process, which then starts the platform.
  const restore = () => (NODE_ENV === undefined ? delete process.env.NODE_ENV : (process.env.NODE_ENV = NODE_ENV));
  const { output } = await build({
    root: source,
    configFile: false,
    envDir: false,
    publicDir: false,
    base: '/dashboard/',
    mode: 'production',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [PRELOADED_FONT],
    resolve: { alias: REPLACED },
    build: {
      write: false,
      target: 'es2024',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2_000,
      // What every page needs is one file: it compresses better than many, and takes one request. So do the small parts that
      // several pages share.
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
        output: {
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], priority: 2 },
              { name: 'parts', test: SHARED_PARTS, minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  }).finally(restore);
  const files = new Map(output.map((item) => [item.fileName, item.type === 'chunk' ? item.code : item.source]));
  for (const name of COPIED) files.set(name, await readFile(path.join(source, name)));
  return files;
}

/** Writes the public schema as TypeScript types, from which gql.tada infers the types of each operation. */
async function writeTypes() {
  const { Supergraph } = await import('@apollo/federation-internals');
  const { introspectionFromSchema } = await import('graphql');
  const { minifyIntrospection, outputIntrospectionFile } = await import('@gql.tada/internal');
  const sdl = await readFile(path.join(root, SUPERGRAPH), 'utf8');
  const schema = Supergraph.build(sdl).apiSchema().toGraphQLJSSchema();
  const introspection = minifyIntrospection(introspectionFromSchema(schema));
  await writeAtomically(
    typesFile,
    outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }),
  );
}

async function writeDocuments() {
  const files = [];
  for (const folder of ['dashboard', 'cli'])
    for (const name of await listFiles(path.join(root, folder)))
      if (/\.tsx?$/.test(name)) files.push(path.join(root, folder, name));
  // Loaded here: the build starts before packages are installed.
  const { documentManifest } = await import('./documents.js');
  await writeAtomically(documentsFile, await documentManifest(files.toSorted()));
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
}
