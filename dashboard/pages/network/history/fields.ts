import type { Model } from '../../../topology/model';
import { labelIn, rowOf, wordsOf, type Item } from './difference';

/** A field that a change changed, in words. */
interface Difference {
  readonly id: string;
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields that name another row, each with the kind of it. */
const REFERENCES: Readonly<Record<string, string>> = {
  group_id: 'group',
  source_group_id: 'group',
  dest_group_id: 'group',
  peer_id: 'peer',
  resource_id: 'resource',
};

/** The fields in which a row differs. @param model names what is in the network still */
export function differenceOf({ kind, id, before, after }: Item, model: Model): Difference[] {
  const [last, next] = [rowOf(before), rowOf(after)];
  const row = { ...last, ...next };
  const subject = `${kind.replaceAll('_', ' of a ')} ${wordsOf(row.label ?? row.name ?? id) ?? id}`;
  const fields = [...new Set([...Object.keys(last), ...Object.keys(next)])];
  return fields
    .filter((field) => wordsOf(last[field]) !== wordsOf(next[field]))
    .map((field) => ({
      id: `${kind} ${id} ${field}`,
      field: `${subject}: ${fieldWords(field)}`,
      before: valueWords(field, last[field], model),
      after: valueWords(field, next[field], model),
    }));
}

function fieldWords(field: string): string {
  const name = REFERENCES[field] === undefined ? field : field.replace(/_id$/, '');
  return name.replace(/^is_/, '').replaceAll('_', ' ').replace('dest ', 'destination ');
}

function valueWords(field: string, value: unknown, model: Model): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const kind = REFERENCES[field];
  const words = wordsOf(value);
  return kind === undefined || words === undefined ? words : (labelIn(model, `${kind}:${words}`) ?? words);
}
