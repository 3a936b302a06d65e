import { describe, expect, it } from '@jest/globals';
import { creditsPerHourNow } from '../../dashboard/pages/machines/machine-cost.js';

describe('what an hour of a machine costs as it is', () => {
  it.each([
    ['running', 'charging', 2],
    ['running', 'low', 2],
    ['rebooting', 'charging', 2],
    // Its host does not show it.
    ['running', 'waiting', 0],
    ['stopping', 'waiting', 0],
    ['pending', 'waiting', 0],
    ['spawning', 'charging', 0],
    // From the stop until it runs again.
    ['stopping', 'charging', 0.5],
    ['stopping', 'stopped', 0.5],
    ['stopped', 'stopped', 0.5],
    ['starting', 'stopped', 0.5],
    // Stopped without credits: nobody pays for it.
    ['stopping', 'empty', 0],
    ['stopped', 'empty', 0],
    ['terminating', 'charging', 0],
    ['terminated', 'ended', 0],
    ['failed', 'ended', 0],
  ])('is for one that is %s with the billing %s: %f', (status, state, credits) => {
    const billing = { state, creditsPerHour: '2', stoppedCreditsPerHour: '0.5' };
    expect(creditsPerHourNow({ status, billing })).toBe(credits);
  });
});
