import type { Database } from '../../../../kernel/database/database.js';
import { readRefusal } from '../../../../kernel/errors.js';
import type { GraphChange } from '../../graph/tenant/tenant.actions.js';

/** A part of an open change of the graph. */
export type PartOfChange = GraphChange & Required<Pick<GraphChange, 'within'>>;

/** The open change in which the lists of a document are written, and the ids of its labels. */
export interface WriteContext {
  readonly database: Database;
  readonly change: PartOfChange;
  readonly groupOf: (label: string) => number;
  readonly peerOf: (label: string, id?: number | null) => number;
}

/** Runs the work for one entry. @throws its refusal, prefixed with the path of the entry */
export async function atEntry<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const refusal = readRefusal(error);
    throw refusal ? readRefusal({ ...refusal, message: `${place}: ${refusal.message}` }) : error;
  }
}
