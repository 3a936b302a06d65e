import { asAdmin, graphql, type Json } from '../platform.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';
import { until } from '../watch.js';
import { press } from './sandbox.js';

/** A deposit without a payment, and its user. */
export interface OpenDeposit {
  readonly user: SignedIn;
  readonly id: string;
  readonly address: string;
}

const DEPOSIT = `transactionId status currency amount received credits paymentAddress confirmationsNeeded
  payments { amount state credits valueUsd confirmations blockNumber }`;

/** Creates a crypto transaction. Returns `{errors}` or its deposit as `{data: {deposit}}`. */
export async function createDeposit(
  user: SignedIn,
  input: { currency: string; amount: string },
  url?: string,
): Promise<Json> {
  const create = `mutation ($currency: String!, $amount: Decimal!) {
    createTransaction(paymentType: "crypto", currency: $currency, amount: $amount) { id paymentAddress } }`;
  const call = { token: user.token, ...(url !== undefined && { url }) };
  const created = await graphql(create, { ...call, variables: input });
  if (created.errors) return created;
  const { id } = created.data.createTransaction;
  return graphql(`query ($id: ID!) { deposit(transactionId: $id) { ${DEPOSIT} } }`, { ...call, variables: { id } });
}

/** Creates a user with an open deposit. */
export async function openDeposit(currency: string, amount: string, url: string): Promise<OpenDeposit> {
  const user = await signIn(undefined, url);
  const { data, errors } = await createDeposit(user, { currency, amount }, url);
  if (errors) throw new Error(JSON.stringify(errors));
  return { user, id: data.deposit.transactionId, address: data.deposit.paymentAddress };
}

/** Returns the deposit as its user sees it, and the balance of the user. */
export async function depositState({ user, id }: OpenDeposit, url: string): Promise<Json> {
  const { data } = await graphql(
    `query ($id: ID!) { deposit(transactionId: $id) { ${DEPOSIT} } creditBalance { balance } }`,
    {
      token: user.token,
      variables: { id },
      url,
    },
  );
  return { ...data.deposit, balance: data.creditBalance.balance };
}

/** Pays a crypto transaction on its page of the sandbox, mines the blocks and waits until it is completed. @param action a button, e.g. `exact` or `under` */
export async function payDeposit({ token }: SignedIn, id: string, action: string): Promise<void> {
  const query = 'query ($id: String!) { transaction(id: $id) { paymentUrl status } }';
  const read = async () => (await graphql(query, { token, variables: { id } })).data.transaction;
  const { paymentUrl } = await read();
  await press(paymentUrl, { action });
  await press(paymentUrl, { action: 'mine' });
  await until(async () => (await read()).status === 'completed', 50_000);
}

/** Polls every chain now. */
export async function watchDeposits(url: string): Promise<Json> {
  const { adminRunDepositWatch } = await asAdmin(
    'mutation { adminRunDepositWatch { chain open blockNumber } }',
    {},
    url,
  );
  return adminRunDepositWatch;
}
