import { isArrayBuffer } from 'node:util/types';

/**
 * Frees the memory of a buffer now, not at the next garbage collection: V8 collects the whole heap for every 64 MiB of buffers. Only
 * for the last user of the bytes; a view on part of a larger memory is left as it is.
 */
export function freeBytes({ buffer, byteLength }: Buffer): void {
  if (isArrayBuffer(buffer) && buffer.byteLength === byteLength) buffer.transfer(0);
}
