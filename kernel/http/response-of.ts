import type { ClientRequest, IncomingMessage } from 'node:http';

/** Waits for the response to a request. Later errors go to the reader of its body. @throws Error also when the connection closes without one */
export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve).on('error', reject);
    // After 101 Switching Protocols, Node closes the connection with neither a response nor an error.
    request.once('close', () => reject(new Error('the connection was closed without a response')));
  });
}
