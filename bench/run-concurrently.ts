/** Does the work for each item, with `writers` of them at a time. */
export async function runConcurrently<Item>(
  writers: number,
  items: IterableIterator<Item>,
  work: (item: Item, writer: number) => Promise<unknown>,
): Promise<void> {
  const run = async (writer: number): Promise<void> => {
    for (const item of items) await work(item, writer);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
}
