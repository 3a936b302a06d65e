/** Does the work for each, by so many at a time. */
export async function inTurns<Item>(
  writers: number,
  items: IterableIterator<Item>,
  work: (item: Item, writer: number) => Promise<unknown>,
): Promise<void> {
  const takeTurns = async (writer: number): Promise<void> => {
    for (const item of items) await work(item, writer);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => takeTurns(writer)));
}
