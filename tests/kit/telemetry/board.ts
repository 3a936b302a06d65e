import { projectFile } from '../compose.js';

interface Panel {
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string }[];
}

/** The panels of the board of Grafana. */
export const { panels } = JSON.parse(projectFile('deploy/grafana/dashboards/archipelago.json')) as {
  readonly panels: readonly Panel[];
};

/** Its expressions, each with the title of its panel. */
export const BOARD = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
