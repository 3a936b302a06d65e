import { beforeAll, describe, expect, it } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { projectFile } from '../kit/compose.js';
import { sayExpected } from '../kit/expected-lines.js';
import { rendersComponents, renderWith, type Rendered } from '../kit/kubernetes/kustomize.js';
import { validateStrictly } from '../kit/kubernetes/strict-schema.js';
import { numberIn } from './source.js';

const FOLDER = 'deploy/kubernetes/components/pgbouncer';
const MODELS = { Deployment, NetworkPolicy, PodDisruptionBudget, Service } as const;
const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'];

type Pod = NonNullable<NonNullable<Deployment['spec']>['template']['spec']>;

const objects = parseAllDocuments(projectFile(`${FOLDER}/pgbouncer.yaml`)).map((each) => each.toJS() as Rendered);
const deployment = new Deployment(objects[0]);
const pod = deployment.spec?.template.spec;
const [container] = pod?.containers ?? [];
const setting = (name: string) => new RegExp(`^${name} = (.*)$`, 'm').exec(projectFile(`${FOLDER}/pgbouncer.ini`))?.[1];

describe(FOLDER, () => {
  it('is what Kubernetes allows, and no autoscaler, which would open more connections', () => {
    for (const object of objects) validateStrictly(new MODELS[object.kind as keyof typeof MODELS](object));
    expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy']);
    expect(deployment.spec?.replicas).toBe(2);
  });

  it('runs without rights, bounded, and is ready when it listens', () => {
    const base = parseAllDocuments(projectFile('deploy/kubernetes/base/accounts.yaml'))[0]?.toJS() as Deployment;
    const of = ({ automountServiceAccountToken, enableServiceLinks, securityContext }: Pod) => [
      automountServiceAccountToken,
      enableServiceLinks,
      securityContext,
    ];
    const [subgraph, pgbouncer] = [base, deployment].map((each) => each.spec?.template.spec as Pod);
    expect(pgbouncer && of(pgbouncer)).toEqual(subgraph && of(subgraph));
    expect(container).toMatchObject({
      securityContext: subgraph?.containers[0]?.securityContext,
      readinessProbe: { tcpSocket: { port: 'postgres' } },
      resources: { limits: { cpu: expect.any(String), memory: expect.any(String) } },
    });
  });

  it('listens where its service and the address of the subgraphs say, with the files that are mounted', () => {
    const port = Number(setting('listen_port'));
    expect(container?.ports).toEqual([{ name: 'postgres', containerPort: port }]);
    expect(objects[1]).toMatchObject({ spec: { ports: [{ port, targetPort: 'postgres' }] } });
    expect(projectFile(`${FOLDER}/kustomization.yaml`)).toContain(`@pgbouncer:${port}/archipelago\n`);
    const mounts = container?.volumeMounts?.map(({ mountPath }) => mountPath);
    expect([container?.command?.[1], setting('auth_file')]).toEqual(['/config/pgbouncer.ini', '/run/secrets/users']);
    expect(mounts).toEqual(['/config', '/run/secrets']);
  });

  it('leaves its service before it stops, and has the time for both', () => {
    const seconds = numberIn(`${FOLDER}/pgbouncer.yaml`, /sleep 5; kill -INT 1; sleep (\d+)/);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(5 + seconds);
  });

  it('says how many connections PostgreSQL needs', () => {
    const queue = numberIn('kernel/jobs/connections.ts', /MAX_CONNECTIONS = (\d+);/);
    const pods = SUBGRAPHS.map((name) => {
      return numberIn(`deploy/kubernetes/base/${name}.yaml`, /maxReplicas: (\d+)/) + 1;
    });
    const jobs = pods.reduce((sum, count) => sum + count * queue, 10);
    const atOnce = Number(deployment.spec?.replicas) + Number(deployment.spec?.strategy?.rollingUpdate?.maxSurge);
    const needed = jobs + atOnce * Number(setting('default_pool_size'));
    expect(projectFile(`${FOLDER}/pgbouncer.ini`)).toContain(`max_connections = ${needed} `);
    expect(projectFile('docs/operations.md')).toContain(`\`max_connections = ${needed}\``);
  });
});

const isInstalled = rendersComponents();
if (!isInstalled) sayExpected('kubectl 1.21 or newer is not installed: nothing was rendered');

describe.each(isInstalled ? [FOLDER] : [])('%s, rendered', (folder) => {
  let rendered: Rendered[];
  beforeAll(() => {
    rendered = renderWith(folder);
  });

  const deploymentOf = (name: string) =>
    rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name) as unknown as Deployment;

  it('gives each subgraph, and only them, the address by a file that is mounted', () => {
    const given = [...SUBGRAPHS, 'gateway'].map((name) => {
      const each = deploymentOf(name);
      validateStrictly(new Deployment(each));
      const { containers, volumes } = each.spec?.template.spec ?? ({} as Pod);
      const file = containers[0]?.env?.find((variable) => variable.name === 'DATABASE_POOL_URL_FILE')?.value;
      const items = volumes?.flatMap(({ secret }) => secret?.items ?? []) ?? [];
      return file !== undefined && items.some(({ path }) => file === `/run/secrets/${path}`);
    });
    expect(given).toEqual([true, true, true, true, false]);
  });

  it('mounts the configuration by the name of its content', () => {
    const map = rendered.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('pgbouncer-'));
    validateStrictly(new ConfigMap(map));
    const volumes = deploymentOf('pgbouncer').spec?.template.spec?.volumes;
    expect(volumes?.[0]).toEqual({ name: 'config', configMap: { name: map?.metadata.name } });
    expect(parse(JSON.stringify(map))).toMatchObject({
      data: { 'pgbouncer.ini': projectFile(`${folder}/pgbouncer.ini`) },
    });
  });
});
