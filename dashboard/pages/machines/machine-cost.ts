interface Priced {
  readonly status: string;
  readonly billing: {
    readonly state: string;
    readonly creditsPerHour: string;
    readonly stoppedCreditsPerHour: string;
  };
}

/** States with the price of a stopped machine. */
const KEPT: ReadonlySet<string> = new Set(['stopping', 'stopped', 'starting']);

/** Credits that an hour of the machine costs as it is now. */
export function creditsPerHourNow({ status, billing }: Priced): number {
  // One that its host does not show costs nothing.
  if (billing.state === 'waiting') return 0;
  if (status === 'running' || status === 'rebooting') return Number(billing.creditsPerHour);
  return KEPT.has(status) && billing.state !== 'empty' ? Number(billing.stoppedCreditsPerHour) : 0;
}

const HOURS_A_MONTH = 730;

/** Credits of a month of 730 hours at a price of an hour. */
export function monthly(creditsPerHour: string | number): string {
  return (Number(creditsPerHour) * HOURS_A_MONTH).toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}
