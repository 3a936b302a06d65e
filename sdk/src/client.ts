import { dataOf } from './answer.js';
import { exchangeCode, linkWallet, signInWithWallet, type SignedIn } from './auth.js';
import { Files } from './files/files.js';
import { execute, textOf, type ExecuteOptions, type Operation } from './graphql.js';
import { restClient, type RestClient } from './rest.js';
import { Socket, type SocketOptions } from './socket.js';
import { Transport, type ConnectionOptions } from './transport.js';
import type { Signer } from './wallet.js';

/** The platform, who calls it, and the websocket of subscriptions. */
export type ClientOptions = ConnectionOptions & SocketOptions;

/** A client of the platform. */
export class Archipelago {
  private readonly transport: Transport;
  private socket: Socket | undefined;
  private restCalls: RestClient | undefined;

  constructor(private readonly options: ClientOptions) {
    this.transport = new Transport(options);
  }

  /** REST by path: `client.rest.GET('/api/billing/credits/balance/')`. */
  get rest(): RestClient {
    this.restCalls ??= restClient(this.transport);
    return this.restCalls;
  }

  /** Signs in with a wallet. The client keeps its own token; make a client with the new one. */
  signIn(signer: Signer, referralCode?: string): Promise<SignedIn> {
    return signInWithWallet(this.transport, signer, referralCode);
  }

  /** Links a wallet to the account of this client, which was created by a social sign-in and has no wallet. */
  linkWallet(signer: Signer): Promise<void> {
    return linkWallet(this.transport, signer);
  }

  /** Exchanges the code of a social sign-in. @param provider `google`, `github` or `apple` */
  exchangeCode(code: string, provider: string): Promise<SignedIn> {
    return exchangeCode(this.transport, code, provider);
  }

  /** Executes a GraphQL query or mutation. @throws PlatformError with the first error */
  graphql<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    operation: Operation<Data, Variables>,
    variables?: Variables,
    options: ExecuteOptions = {},
  ): Promise<Data> {
    return execute(this.transport, operation, { ...options, variables });
  }

  /**
   * Iterates over the events of a GraphQL subscription. The socket is opened again after each loss.
   * @throws PlatformError with the first error, or with the reason of the closed socket
   */
  subscribe<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    operation: Operation<Data, Variables>,
    variables?: Variables,
  ): AsyncGenerator<Data> {
    this.socket ??= new Socket(this.transport, this.options);
    return this.socket.events<Data, Data>(textOf(operation), variables, dataOf);
  }

  /** Returns the encrypted folders of an owner. @param owner SS58 address of your account */
  files(owner: string): Files {
    return new Files(this.transport, owner);
  }

  /** Closes the websocket. Subscriptions end. */
  async close(): Promise<void> {
    await this.socket?.close();
  }
}
