import { describe, expect, it } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { packageVersion } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';
import { sayExpected } from '../kit/expected-lines.js';
import { render, rendersComponents, type Rendered } from '../kit/kubernetes/kustomize.js';
import { validateStrictly } from '../kit/kubernetes/strict-schema.js';

const MODELS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
} as const;

const OWN_METRICS = 'deploy/kubernetes/components/own-metrics';

const isInstalled = rendersComponents();

/** Names of objects of a kind. */
const named = (objects: readonly Rendered[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

interface Autoscaler {
  readonly spec: { readonly metrics: readonly { readonly pods?: { readonly metric: { readonly name: string } } }[] };
}

/** Names of our own metrics in an autoscaler. */
const ownMetrics = ({ spec }: Autoscaler) => spec.metrics.flatMap(({ pods }) => pods?.metric.name ?? []);

interface AdapterRule {
  readonly seriesQuery: string;
  readonly metricsQuery: string;
  readonly name?: { readonly as: string };
}

const { rules } = parse(projectFile(`${OWN_METRICS}/adapter.yaml`)) as { rules: AdapterRule[] };
const seriesOf = ({ seriesQuery }: AdapterRule) => seriesQuery.split('{')[0] ?? '';

describe('the rules of prometheus-adapter', () => {
  it('give the metrics that the autoscalers ask for', () => {
    const asked = ['gateway', 'subgraph'].flatMap((name) =>
      [...projectFile(`${OWN_METRICS}/${name}.yaml`).matchAll(/metric: \{ name: (\w+) \}/g)].map(
        ([, metric]) => metric,
      ),
    );
    expect(new Set(rules.map((rule) => rule.name?.as ?? seriesOf(rule)))).toEqual(new Set(asked));
  });

  it.each(rules)('read $seriesQuery, which the platform has', (rule) => {
    const name = seriesOf(rule).replace(/_count$/, '');
    const source = ['gateway/http/metrics.ts', 'gateway/websocket/websocket-server.ts', 'kernel/database/pool.ts'];
    const texts = [...source, 'kernel/telemetry/process-metrics.ts'].map(projectFile);
    expect(texts.filter((text) => text.includes(`'${name}'`))).toHaveLength(1);
    expect(rule.metricsQuery).toContain(`${seriesOf(rule)}{<<.LabelMatchers>>}`);
  });
});

if (!isInstalled) sayExpected('kubectl 1.21 or newer is not installed: nothing was rendered');

describe.each(isInstalled ? ['base', 'overlays/example'] : [])('deploy/kubernetes/%s, rendered', (folder) => {
  const objects = isInstalled ? render(`deploy/kubernetes/${folder}`) : [];

  it('is what Kubernetes allows', () => {
    for (const object of objects) validateStrictly(new MODELS[object.kind as keyof typeof MODELS](object as never));
    expect(objects.length).toBeGreaterThan(25);
  });

  it('names the settings of its own content', () => {
    const settings = named(objects, 'ConfigMap').find((name) => name.startsWith('archipelago-'));
    const read = [...JSON.stringify(objects).matchAll(/"configMapKeyRef":\{"key":"([\w-]+)","name":"([\w-]+)"/g)];
    const data = JSON.stringify(objects.find(({ metadata }) => metadata.name === settings));
    expect(new Set(read.map(([, , name]) => name))).toEqual(new Set([settings]));
    expect(read.filter(([, key = '']) => !data.includes(`"${key}":`))).toEqual([]);
  });

  it('protects and scales every deployment', () => {
    const deployments = named(objects, 'Deployment');
    for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy', 'Service'])
      expect(named(objects, kind)).toEqual(deployments);
    expect(JSON.stringify(objects.filter(({ kind }) => kind === 'Deployment'))).not.toContain('"replicas"');
  });

  it('migrates by a job with the name of the version', () => {
    expect(named(objects, 'Job')).toEqual([`migrate-${packageVersion()}`]);
  });
});

describe.each(isInstalled ? ['overlays/example'] : [])('deploy/kubernetes/%s', (folder) => {
  it('changes every image, and all autoscalers', () => {
    const objects = render(`deploy/kubernetes/${folder}`);
    const images = [...JSON.stringify(objects).matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image);
    expect(images.length).toBeGreaterThan(0);
    expect(images).toEqual(images.map(() => `registry.example/archipelago:${packageVersion()}`));
    const autoscalers = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(autoscalers.map((each) => ownMetrics(each as never).length)).toEqual(autoscalers.map(() => 2));
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['archipelago']));
  });

  it('lets Prometheus reach all subgraphs beside the platform', () => {
    const policies = render(`deploy/kubernetes/${folder}`).filter(({ kind }) => kind === 'NetworkPolicy');
    const sources = policies.map((policy) => [
      policy.metadata.name,
      ...[
        ...JSON.stringify(policy).matchAll(/"podSelector":\{"matchLabels":\{"app.kubernetes.io\/name":"(\w+)"\}/g),
      ].map(([, source]) => source),
    ]);
    const reached = ['archipelago', 'prometheus'];
    expect(sources).toEqual([
      ['accounts', ...reached],
      ['gateway'],
      ['infrastructure', ...reached],
      ['network', ...reached],
      ['sync', ...reached],
    ]);
  });
});
