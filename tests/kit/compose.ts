import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/package-root.js';

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
