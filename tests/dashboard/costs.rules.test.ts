import { describe, expect, it } from '@jest/globals';
import { forecastWords } from '../../dashboard/pages/billing/forecast-words.js';
import { storagePerDay } from '../../dashboard/pages/files/storage-cost.js';
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

describe('what a day of storage costs', () => {
  it.each([
    ['3', '1073741824', '2026-11-30T23:59:59Z', 0.1],
    ['3.1', '1073741824', '2026-12-01T00:00:00Z', 0.1],
    ['2.8', '536870912', '2027-02-10T12:00:00Z', 0.05],
    [null, '1073741824', '2026-11-30T12:00:00Z', 0],
  ])('is, at %s credits per GiB and month for %s bytes on %s: %f', (price, storedBytes, day, credits) => {
    expect(storagePerDay(price, storedBytes, new Date(day))).toBeCloseTo(credits, 12);
  });
});

describe('the forecast', () => {
  it.each([
    [100, 0, 'Nothing is charged at the moment, so the balance stays.'],
    [0, 2, 'Machines and storage cost 2 credits a day, and no credits are left.'],
    [3, 1.5, 'Machines and storage cost 1.5 credits a day. At this rate credits end on 3 January 1970.'],
    [1000, 7.8e-11, 'Machines and storage cost 0.000000000078 credits a day. Credits last more than 100 years.'],
  ])('of %f credits at %f a day says: %s', (balance, perDay, words) => {
    const said = forecastWords(balance, perDay, 43_200_000);
    expect(said.replace('January 3, 1970', '3 January 1970')).toBe(words);
  });
});
