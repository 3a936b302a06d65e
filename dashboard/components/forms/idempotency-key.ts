/** Returns a random idempotency key. `crypto.randomUUID` does not exist on pages without HTTPS. */
export function newIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
