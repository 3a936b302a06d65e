import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { amountOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

const REWARD = graphql('query { credits: referralReward }');
const SET_REWARD = graphql('mutation ($credits: Decimal!) { credits: adminSetReferralReward(credits: $credits) }');

/** Adds `admin referral-reward`. */
export function addReferralReward(admin: Command): void {
  const reward = admin.command('referral-reward').description('credits that both users of a referral receive');
  reward.command('show').description('show the reward; 0 is none').action(run(showReward));
  reward
    .command('set <credits>')
    .description('set the reward of new referrals, 0 to 1000; 0 for none')
    .action(run(setReward));
}

async function showReward({ client, output }: Session): Promise<void> {
  output.record(await client.graphql(REWARD));
}

async function setReward({ client, output }: Session, [credits = '']: readonly string[]): Promise<void> {
  output.record(await client.graphql(SET_REWARD, { credits: amountOf(credits) }));
}
