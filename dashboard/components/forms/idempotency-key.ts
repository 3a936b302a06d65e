/** A key that makes a repeated request return the same result. It works on pages without HTTPS too. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
