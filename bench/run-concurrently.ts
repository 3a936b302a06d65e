/** Does the work for each item, `concurrency` of them at a time; each call has the number of its worker. */
export async function runConcurrently<Item>(
  concurrency: number,
  items: IterableIterator<Item>,
  work: (item: Item, worker: number) => Promise<unknown>,
): Promise<void> {
  const run = async (worker: number): Promise<void> => {
    for (const item of items) await work(item, worker);
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => run(worker)));
}
