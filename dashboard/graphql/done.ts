/** What an operation answered. */
export interface Result<Data> {
  readonly data?: Data | undefined;
  readonly error?: Error | undefined;
}

/** The data of an operation. @throws its error */
export async function done<Data>(work: PromiseLike<Result<Data>>): Promise<Data> {
  const { data, error } = await work;
  if (error) throw error;
  if (data === undefined) throw new Error('The server answered nothing.');
  return data;
}
