import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/package-root.js';

/** A service of docker-compose.yml, of what it may say the part that we use. */
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

/** The whole file. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam?: { readonly config: readonly { subnet: string }[] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** A file of the project as text. */
export function projectFile(name: string): string {
  return readFileSync(join(packageRoot(), name), 'utf8');
}

/** docker-compose.yml as Compose sees it with these variables, anchors and defaults filled in. */
export function readCompose(variables: Readonly<Record<string, string>> = {}): ComposeFile {
  const fillIn = (text: string) =>
    text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, unset: string) => variables[name] ?? unset);
  // Compose fills in values, never YAML: what is empty then is an empty text.
  const seen = (key: unknown, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'replicas' ? Number(fillIn(value)) : fillIn(value);
  };
  return parse(projectFile('docker-compose.yml'), seen, { merge: true }) as ComposeFile;
}

/** The services whose image is made by our Dockerfile, by name. */
export function ownServices({ services }: ComposeFile): [string, Service][] {
  return Object.entries(services).filter(([, { build }]) => build !== undefined);
}

/** Words of an instruction of the Dockerfile, e.g. `CMD`, in the stage of this name. */
export function instructions(stage: string, name: string): string[] {
  const [, text = ''] =
    new RegExp(`^FROM \\S+ AS ${stage}\\n(.*?)(?=^FROM |$(?![^]))`, 'ms').exec(projectFile('Dockerfile')) ?? [];
  return [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, words = '']) => words);
}

/** The program and words with which a service starts: its command after the image's entry point. */
export function commandOf({ command, build }: Service): string[] {
  const given: unknown = command ?? JSON.parse(instructions(build?.target ?? '', 'CMD').at(-1) ?? '[]');
  return (given as string[]).slice();
}
