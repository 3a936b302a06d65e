import { lasting } from '../../components/format';
import { useId } from 'react';
import { Card } from '../../components/card';
import { monthly } from './machine-cost';
import { memory } from './machine-state';
import './machines.css';

interface Size {
  readonly id: number;
  readonly displayName: string;
  readonly description: string | null;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly dataDiskGb: number;
  readonly creditsPerHour: number;
  readonly affordableHours: number | null;
}

interface SizeChoiceProps {
  readonly sizes: readonly Size[];
  readonly chosen: number;
  readonly onChoose: (id: number) => void;
}

/** A choice between the sizes, with their prices. */
export function SizeChoice({ sizes, chosen, onChoose }: SizeChoiceProps) {
  const name = useId();
  return (
    <Card title="Size">
      <div className="choices" role="radiogroup" aria-label="Size">
        {sizes.map((size) => (
          <label key={size.id} className="choice">
            <input
              type="radio"
              name={name}
              checked={size.id === chosen}
              onChange={() => onChoose(size.id)}
              aria-label={size.displayName}
            />
            <span className="grow">
              <span className="row wrap choice-head">
                <strong>{size.displayName}</strong>
                <span className="number">{size.creditsPerHour} credits an hour</span>
              </span>
              <span className="choice-text">
                {size.cpuCores} CPU · {memory(size.memoryMb)} · {size.dataDiskGb} GiB disk
              </span>
              <span className="choice-text">
                {monthly(size.creditsPerHour)} a month{affordable(size.affordableHours)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Card>
  );
}

/** How long the credits last; empty without credits, which the page says once. */
function affordable(hours: number | null): string {
  return hours === null || hours === 0 ? '' : ` · your credits last ${lasting(hours)}`;
}
