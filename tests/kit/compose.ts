import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/package-root.js';
import { S3_KEYS } from './blobs/s3.js';

/** Makes the secrets that are missing in a folder. */
export const SECRETS_SCRIPT = join(packageRoot(), 'deploy/secrets.sh');

/** A service of docker-compose.yml; only the fields that we use. */
export interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly deploy: {
    readonly replicas?: number;
    readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } };
  };
}

/** The parsed docker-compose.yml. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam?: { readonly config: readonly { subnet: string }[] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** Reads a file of the project as text. */
export function projectFile(name: string): string {
  return readFileSync(join(packageRoot(), name), 'utf8');
}

/** Parses docker-compose.yml with these variables. Resolves anchors and defaults. */
export function readCompose(variables: Readonly<Record<string, string>> = {}): ComposeFile {
  const fillIn = (text: string) =>
    text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, unset: string) => variables[name] ?? unset);
  // Compose interpolates values, not YAML: an empty value is an empty string.
  const seen = (key: unknown, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'replicas' ? Number(fillIn(value)) : fillIn(value);
  };
  return parse(projectFile('docker-compose.yml'), seen, { merge: true }) as ComposeFile;
}

/** Returns the services with an image of our Dockerfile, by name. */
export function ownServices({ services }: ComposeFile): [string, Service][] {
  return Object.entries(services).filter(([, { build }]) => build !== undefined);
}

/** Returns the arguments of an instruction, e.g. `CMD`, in a stage of the Dockerfile. */
export function instructions(stage: string, name: string): string[] {
  const [, text = ''] =
    new RegExp(`^FROM \\S+ AS ${stage}\\n(.*?)(?=^FROM |$(?![^]))`, 'ms').exec(projectFile('Dockerfile')) ?? [];
  return [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, words = '']) => words);
}

/** Returns the command line of a service: the entry point of the image and the command. */
export function commandOf({ command, build }: Service): string[] {
  const given: unknown = command ?? JSON.parse(instructions(build?.target ?? '', 'CMD').at(-1) ?? '[]');
  return (given as string[]).slice();
}

/** Where the surroundings of containers are on this machine. */
export interface Surroundings {
  /** Ports here, by host and port of the containers: `accounts:4001` → 14711. */
  readonly ports: ReadonlyMap<string, number>;
  readonly blobUrl: string;
  /** The folder of `makeSecrets`. */
  readonly secrets: string;
}

/** Returns the environment of a container as one of a process on loopback: addresses, ports and folders are those of this machine. */
export function onLoopback(
  { environment, build }: Service,
  { ports, blobUrl, secrets }: Surroundings,
  own: { readonly port: number | undefined; readonly dataDir: string },
): Record<string, string> {
  const inImage = ['runtime', build?.target ?? ''].flatMap((stage) => instructions(stage, 'ENV')).join(' ');
  const image = [...inImage.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  const translate = (value: string) =>
    value
      .replaceAll(/\b(\w+):(\d+)\b/g, (place) => (ports.has(place) ? `127.0.0.1:${ports.get(place)}` : place))
      .replace(/^172\.30\.40\.2(?=,)/, '127.0.0.1')
      .replace(/^s3:.*/, blobUrl)
      .replace(/^\/run\/secrets/, secrets);
  const given = [...image, ...Object.entries(environment ?? {})].map(([name, value]) => [name, translate(`${value}`)]);
  const { port, dataDir } = own;
  return { ...Object.fromEntries(given), HOST: '127.0.0.1', DATA_DIR: dataDir, ...(port && { PORT: `${port}` }) };
}

/** Makes the secrets of docker-compose.yml in a folder, for this database and the S3 store of the tests. */
export async function makeSecrets(folder: string, databaseUrl: string): Promise<void> {
  execFileSync('sh', [SECRETS_SCRIPT, folder]);
  await writeFile(join(folder, 'database_url'), databaseUrl);
  await writeFile(
    join(folder, 'store_credentials'),
    `[default]\naws_access_key_id = ${S3_KEYS.AWS_ACCESS_KEY_ID}\naws_secret_access_key = ${S3_KEYS.AWS_SECRET_ACCESS_KEY}\n`,
  );
}
