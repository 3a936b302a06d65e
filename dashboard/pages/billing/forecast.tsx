import { useNow } from '../../components/format';
import { Card } from '../../components/card';
import { Failure, Outdated, Skeleton } from '../../components/states';
import { useBalanceAndCosts } from './daily-costs';
import { forecastWords } from './forecast-words';

const DAYS = 30;
const DAY_MS = 86_400_000;
const WIDTH = 600;
const HEIGHT = 160;

/** The future balance if the same machines keep running and the same files are kept. */
export function ForecastCard() {
  const now = useNow();
  const { perDay, error, reload, ...present } = useBalanceAndCosts();
  const balance = Number(present.balance?.balance ?? Number.NaN);
  if (Number.isNaN(balance) || perDay === undefined)
    return <Card title="Forecast">{error ? <Failure error={error} onRetry={reload} /> : <Skeleton />}</Card>;
  const left = perDay === 0 ? Infinity : Math.max(balance, 0) / perDay;
  return (
    <Card title="Forecast">
      {error !== undefined && <Outdated error={error} onRetry={reload} />}
      <div className="stack">
        <p>{forecastWords(balance, perDay, now)}</p>
        {balance > 0 && <Chart balance={balance} left={left} now={now} />}
      </div>
    </Card>
  );
}

interface ChartProps {
  readonly balance: number;
  /** Days that the balance lasts. */
  readonly left: number;
  readonly now: number;
}

/** The balance over the next thirty days, as a falling line. */
function Chart({ balance, left, now }: ChartProps) {
  const end = Math.min(left, DAYS);
  const atEnd = left === Infinity ? balance : Math.max(balance * (1 - end / left), 0);
  const x = (day: number) => (day / DAYS) * WIDTH;
  const y = (credits: number) => HEIGHT - (credits / (balance * 1.15)) * HEIGHT;
  const line = `M0 ${y(balance)}L${x(end)} ${y(atEnd)}`;
  const day = (after: number) =>
    new Date(now + after * DAY_MS).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  // Like the balance beside it.
  const amount = (credits: number) =>
    credits.toLocaleString(undefined, { maximumFractionDigits: 2, roundingMode: 'trunc' });
  return (
    <figure className="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${amount(balance)} credits now, ${amount(atEnd)} on ${day(end)}`}
      >
        {[0.25, 0.5, 0.75].map((part) => (
          <path key={part} className="chart-grid" d={`M0 ${HEIGHT * part}H${WIDTH}`} />
        ))}
        <path className="chart-area" d={`${line}V${HEIGHT}H0Z`} />
        <path className="chart-line" d={line} />
      </svg>
      <figcaption>
        <span>Today: {amount(balance)}</span>
        <span>{day(DAYS / 2)}</span>
        <span>
          {day(DAYS)}: {amount(left < DAYS ? 0 : atEnd)}
        </span>
      </figcaption>
    </figure>
  );
}
