import { parse } from 'yaml';
import { projectFile } from '../compose.js';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The file with the rules of Prometheus. */
export const RULES = 'deploy/prometheus-rules.yml';

const { groups } = parse(projectFile(RULES)) as { groups: { name: string; rules: Rule[] }[] };
export const rules = groups.flatMap((group) => group.rules);
export const namedRules = rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr] as const);
