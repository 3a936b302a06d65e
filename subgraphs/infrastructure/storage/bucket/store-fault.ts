/** A failed request to the object store. */
export class StoreFault extends Error {
  constructor(
    /** `missing`: no such bucket; `refused`: a retry cannot succeed; `unreachable`: a retry may succeed. */
    readonly kind: 'missing' | 'refused' | 'unreachable',
    message: string,
  ) {
    super(message);
  }
}
