import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ExternalObject } from '../subgraph/external-objects.js';

/** Objects that are copied at the same time. */
const AT_ONCE = 8;

/** Does the work for each object of a list that COPY wrote. @throws the first error, after which no object is begun */
export async function forEachObject(file: string, work: (object: ExternalObject) => Promise<void>): Promise<void> {
  const objects = readObjectList(file);
  // A loop that throws ends the list for the others.
  const workInTurn = async () => {
    for await (const object of objects) await work(object);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workInTurn));
}

async function* readObjectList(file: string): AsyncGenerator<ExternalObject> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const [key = '', size, hash = ''] = line.split('\t');
    yield { key, sizeBytes: Number(size), hash };
  }
}

/** File of an object in a backup. */
export function objectFile(subgraph: string, key: string): string {
  return `objects/${subgraph}/${key}`;
}
