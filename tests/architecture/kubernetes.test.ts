import { describe, expect, it } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { packageVersion } from '../../kernel/package-root.js';
import { projectFile, readCompose } from '../kit/compose.js';
import { validateStrictly } from '../kit/kubernetes/strict-schema.js';
import { numberIn } from './source.js';

const { services } = readCompose();
const NAMES = ['gateway', 'accounts', 'infrastructure', 'network', 'sync'] as const;

/** The objects of a file by kind; each kind is there once. */
function objectsOf(name: string): Map<string, unknown> {
  const documents = parseAllDocuments(projectFile(`deploy/kubernetes/base/${name}.yaml`));
  return new Map(documents.map((document) => [String(document.get('kind')), document.toJS()]));
}

const MODELS = { Deployment, HorizontalPodAutoscaler, NetworkPolicy, PodDisruptionBudget, Service } as const;

function deploymentOf(name: string): Deployment {
  return new Deployment(objectsOf(name).get('Deployment') as ConstructorParameters<typeof Deployment>[0]);
}

function podOf(name: string) {
  const pod = deploymentOf(name).spec?.template.spec;
  const [container] = pod?.containers ?? [];
  return { pod, container };
}

/** Variables of a container by name. */
function variablesOf(name: string): Record<string, string | undefined> {
  const { container } = podOf(name);
  return Object.fromEntries((container?.env ?? []).map(({ name: variable, value }) => [variable, value]));
}

const readsPoolSize = ({
  valueFrom,
}: {
  readonly valueFrom?: { readonly configMapKeyRef?: { readonly key: string } };
}) => valueFrom?.configMapKeyRef?.key === 'database-pool-size';

describe('deploy/kubernetes', () => {
  it('applies every file', () => {
    const { resources } = parse(projectFile('deploy/kubernetes/base/kustomization.yaml')) as { resources: string[] };
    expect(resources).toEqual([...NAMES, 'migrate'].map((name) => `${name}.yaml`));
  });

  it('migrates as its deployments read the database, by the same image', () => {
    const migrate = objectsOf('migrate').get('Job') as ConstructorParameters<typeof Job>[0];
    validateStrictly(new Job(migrate));
    const { image, env } = podOf('accounts').container ?? {};
    const container = { image, args: ['dist/bundle/migrate.js'] };
    expect(migrate).toMatchObject({
      metadata: { name: `migrate-${packageVersion()}` },
      spec: { template: { spec: { containers: [container] } } },
    });
    expect(env).toEqual(expect.arrayContaining(migrate?.spec?.template.spec?.containers[0]?.env ?? []));
  });

  it('says how many connections all pods may open', () => {
    const base = projectFile('deploy/kubernetes/base/kustomization.yaml');
    const poolSize = numberIn('deploy/kubernetes/base/kustomization.yaml', /- database-pool-size=(\d+)$/m);
    const queue = numberIn('kernel/jobs/connections.ts', /MAX_CONNECTIONS = (\d+);/);
    const subgraphs = NAMES.filter((name) => podOf(name).container?.env?.some(readsPoolSize));
    const pods = subgraphs.map((name) => {
      const { spec } = objectsOf(name).get('HorizontalPodAutoscaler') as { spec: { maxReplicas: number } };
      return spec.maxReplicas + Number(deploymentOf(name).spec?.strategy?.rollingUpdate?.maxSurge);
    });
    const perPod = poolSize + queue;
    const needed = pods.reduce((sum, count) => sum + count * perPod, 10);
    expect([subgraphs.length, projectFile('docs/operations.md')]).toEqual([
      4,
      expect.stringContaining(`\`max_connections = ${needed}\``),
    ]);
    expect(base).toContain(`max_connections = ${needed} `);
  });

  it('has a schema that refuses wrong objects', () => {
    const validate = (spec: object) => () => validateStrictly(new Service({ spec }));
    expect(validate({ ports: [{ port: 80 }], selector: { name: 'x' } })).not.toThrow();
    expect(validate({ ports: [{ port: 'x' }] })).toThrow('must be integer');
    expect(validate({ ports: [{ port: 80, targetPrt: 80 }] })).toThrow('unknown fields: /spec/ports/0/targetPrt');
  });
});

describe.each(NAMES)('deploy/kubernetes/base/%s.yaml', (name) => {
  it('is what Kubernetes allows', () => {
    const kinds = [...objectsOf(name)].map(([kind, object]) => {
      validateStrictly(new MODELS[kind as keyof typeof MODELS](object as never));
      return kind;
    });
    expect(kinds).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'HorizontalPodAutoscaler']);
  });

  it('starts what docker-compose.yml starts', () => {
    const { container } = podOf(name);
    expect([container?.image, container?.args]).toEqual([`archipelago:${packageVersion()}`, services[name]?.command]);
  });

  it('listens on the port of docker-compose.yml', () => {
    const port = Number(services[name]?.environment?.PORT);
    const { container } = podOf(name);
    const service = objectsOf(name).get('Service');
    expect([container?.ports, variablesOf(name).PORT]).toEqual([[{ name: 'http', containerPort: port }], `${port}`]);
    expect(service).toMatchObject({ metadata: { name }, spec: { ports: [{ port, targetPort: 'http' }] } });
  });

  it('has the variables of docker-compose.yml, but those of its surroundings', () => {
    const surroundings = [
      'DATABASE_POOL_SIZE',
      'LIGHTHOUSES',
      'LOG_LEVEL',
      'TELEMETRY',
      'SMTP_URL',
      'REGISTRY_URL',
      'PAYPROC',
    ];
    const fixed = (variables: object) => Object.keys(variables).filter((variable) => !surroundings.includes(variable));
    expect(fixed(variablesOf(name)).toSorted()).toEqual(fixed(services[name]?.environment ?? {}).toSorted());
  });

  it('reads its secrets from files that are mounted', () => {
    const { pod } = podOf(name);
    const items = pod?.volumes?.flatMap(({ secret }) => secret?.items ?? []) ?? [];
    const read = Object.values(variablesOf(name)).filter((value) => value?.startsWith('/run/secrets/'));
    expect(new Set(items.map(({ path }) => `/run/secrets/${path}`))).toEqual(new Set(read));
    const made = projectFile('deploy/kubernetes/base/kustomization.yaml');
    expect(items.filter(({ key }) => !made.includes(`--from-file=${key}=`))).toEqual([]);
  });

  it('leaves its service before it stops, and has the time for both', () => {
    const { pod, container } = podOf(name);
    const requests = numberIn('gateway/composition/lifecycle.ts', /SHUTDOWN_TIMEOUT_MS = (\d+)_000/);
    const rest = numberIn('gateway/composition/lifecycle.ts', /SHUTDOWN_TIMEOUT_MS \+ (\d+)_000/);
    expect(container?.lifecycle).toEqual({ preStop: { exec: { command: ['sleep', '5'] } } });
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(5 + requests + rest);
  });

  it('runs without rights', () => {
    const { pod, container } = podOf(name);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('asks for health at paths that exist', () => {
    const paths = [...projectFile(`deploy/kubernetes/base/${name}.yaml`).matchAll(/path: (\/health\S*),/g)];
    const known = projectFile('gateway/http/health.ts');
    expect(paths.map(([, path = '']) => known.includes(`'${path}'`))).toEqual(name === 'gateway' ? [true, true] : []);
  });
});

interface ScrapeJob {
  readonly job_name: string;
  readonly metrics_path: string;
  readonly http_headers?: object;
  readonly authorization: { readonly credentials_file: string };
  readonly kubernetes_sd_configs: readonly { readonly selectors: readonly { readonly label: string }[] }[];
  readonly relabel_configs: readonly {
    readonly source_labels: readonly string[];
    readonly regex?: string;
    readonly target_label?: string;
  }[];
}

describe('deploy/kubernetes/components/own-metrics', () => {
  const file = (name: string): unknown => parse(projectFile(`deploy/kubernetes/components/own-metrics/${name}.yaml`));
  const { scrape_configs: jobs } = file('prometheus') as { scrape_configs: ScrapeJob[] };
  const [ofGateway, ofSubgraphs] = jobs;
  const SUBGRAPHS = NAMES.slice(1);

  it('has the jobs of deploy/prometheus.yml', () => {
    const known = parse(projectFile('deploy/prometheus.yml')) as { scrape_configs: ScrapeJob[] };
    const outline = ({ job_name, metrics_path }: ScrapeJob) => [job_name, metrics_path];
    expect(jobs.map(outline)).toEqual(known.scrape_configs.map(outline));
  });

  it('gives Prometheus the token of metrics and no other secret', () => {
    const text = projectFile('deploy/kubernetes/components/own-metrics/prometheus.yaml');
    const { authorization } = ofGateway ?? {};
    expect(jobs.map((job) => job.authorization)).toEqual([authorization, authorization]);
    const [, key] = /--from-file=([\w-]+)=deploy\/secrets\/metrics_token\n/.exec(text) ?? [];
    expect(authorization).toEqual({ credentials_file: `/etc/prometheus/secrets/archipelago-metrics/${key}` });
    expect([text.match(/--from-file/g), jobs.flatMap(({ http_headers: headers }) => headers ?? [])]).toEqual([
      ['--from-file'],
      [],
    ]);
  });

  it.each(NAMES)('reads the pods of %s at their port, in one job', (name) => {
    const selected = jobs.filter(({ kubernetes_sd_configs: [discovery] }) => {
      const { label = '' } = discovery?.selectors[0] ?? {};
      const [, component = ''] = /component(?:=(\w+)| in .*)$/.exec(label) ?? [];
      return component === name || new RegExp(` in \\((?:.*,)?${name}[,)]`).test(label);
    });
    expect(selected).toEqual([name === 'gateway' ? ofGateway : ofSubgraphs]);
    expect(deploymentOf(name).spec?.template.metadata?.labels).toEqual({
      'app.kubernetes.io/name': 'archipelago',
      'app.kubernetes.io/component': name,
    });
    const port = selected[0]?.relabel_configs.find(({ source_labels: [label] }) => label?.endsWith('_port_name'));
    expect(port?.regex).toBe(podOf(name).container?.ports?.[0]?.name);
  });

  it('adds the labels by which prometheus-adapter finds pods', () => {
    const rules = file('adapter') as { rules: { resources: { overrides: object } }[] };
    const labels = new Set(rules.rules.flatMap(({ resources }) => Object.keys(resources.overrides)));
    for (const { relabel_configs: added } of jobs)
      expect(new Set(added.flatMap(({ target_label: label }) => label ?? []))).toEqual(labels);
  });

  it('lets Prometheus reach the port of every subgraph', () => {
    const { patches } = file('kustomization') as { patches: { path: string; target: object }[] };
    expect(patches.find(({ path }) => path === 'network-policy.yaml')?.target).toEqual({
      kind: 'NetworkPolicy',
      name: SUBGRAPHS.join('|'),
    });
    expect(file('network-policy')).toEqual([
      {
        op: 'add',
        path: '/spec/ingress/-',
        value: {
          ports: [{ port: 'http' }],
          from: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
              podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
            },
          ],
        },
      },
    ]);
  });
});
