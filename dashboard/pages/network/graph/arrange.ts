import type { Model } from '../../../topology/model';
import { rounded, type Positions, type Size } from './positions';

/** Arranges the groups by their policies, in a worker that is loaded for it. */
export async function arranged(model: Model, sizes: ReadonlyMap<string, Size>): Promise<Positions> {
  const { layout } = await import('./layout');
  const places = await layout({
    boxes: model.groups.map(({ node: { id } }) => ({ id, width: 0, height: 0, ...sizes.get(id) })),
    lines: model.policies.filter(({ source, target }) => source !== target),
  });
  return Object.fromEntries(Object.entries(places).map(([id, place]) => [id, rounded(place)]));
}
