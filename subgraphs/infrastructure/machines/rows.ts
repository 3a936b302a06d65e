import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'hosted_machine' })
export class HostedMachineRow {
  @PrimaryKey({ type: 'uuid' }) uuid!: string;
  /** The last known running task. */
  @Property({ type: 'text', nullable: true }) task!: string | null;
  /** The last requested reboot. */
  @Property({ type: 'text', nullable: true }) reboot!: string | null;
  /** It was destroyed and must not be created again. */
  @Property({ type: 'boolean', default: false }) isGone!: Opt<boolean>;
}

@Entity({ tableName: 'simulated_machine' })
export class SimulatedMachineRow {
  @PrimaryKey({ type: 'uuid' }) uuid!: string;
  @Property({ type: 'integer', generated: 'identity', autoincrement: true }) number!: Opt<number>;
  @Property({ type: 'text' }) state!: 'running' | 'stopped' | 'gone';
  @Property({ type: 'datetime' }) readyAt!: Date;
  @Property({ type: 'integer', default: 1 }) creations!: Opt<number>;
  @Property({ type: 'integer', default: 1 }) boots!: Opt<number>;
  @Property({ type: 'text', nullable: true }) lastReboot!: string | null;
}

@Entity({ tableName: 'vm_billing' })
export class VmBillingRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) instanceId!: number;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) creditsPerHour!: string;
  @Property({ type: 'bigint', defaultRaw: `0` }) ranMs!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) runningSince!: Date | null;
  @Property({ type: 'boolean', default: true }) isWanted!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) charged!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) chargeNumber!: Opt<number>;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) chargeCredits!: string | null;
  @Property({ type: 'boolean', default: false }) chargeIsLast!: Opt<boolean>;
  @Property({ type: 'integer' }) holdNumber!: number;
  @Property({ type: 'text' }) holdState!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) holdCredits!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) holdSpent!: Opt<string>;
  @Property({ type: 'integer', default: 60 }) warningMinutes!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) warnings!: Opt<number>;
  @Property({ type: 'boolean', default: false }) isWarned!: Opt<boolean>;
  @Property({ type: 'datetime', nullable: true }) emptiedAt!: Date | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) stoppedCreditsPerHour!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) stoppedMs!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) stoppedSince!: Date | null;
  @Property({ type: 'boolean', default: false }) isKept!: Opt<boolean>;
  @Property({ type: 'datetime', nullable: true }) startUntil!: Date | null;
}

@Entity({ tableName: 'vm_instance' })
export class VmInstanceRow {
  @PrimaryKey({ type: 'integer', generated: 'by default as identity' }) id!: Opt<number>;
  @Property({ type: 'uuid' }) uuid!: string;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'integer' }) flavorId!: number;
  @Property({ type: 'integer' }) imageId!: number;
  @Property({ type: 'integer', nullable: true }) applicationId!: number | null;
  @Property({ type: 'text' }) flavorName!: string;
  @Property({ type: 'integer' }) cpuCores!: number;
  @Property({ type: 'integer' }) memoryMb!: number;
  @Property({ type: 'integer' }) diskGb!: number;
  @Property({ type: 'text' }) imageName!: string;
  @Property({ type: 'text' }) sshPublicKey!: string;
  @Property({ type: 'text', defaultRaw: `'running'::text` }) wantedState!: Opt<string>;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<string>;
  @Property({ type: 'text', nullable: true }) errorMessage!: string | null;
  @Property({ type: 'text', nullable: true }) publicIp!: string | null;
  @Property({ type: 'text', nullable: true }) overlayIp!: string | null;
  @Property({ type: 'text', nullable: true }) providerRef!: string | null;
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  @Property({ type: 'integer', default: 1 }) revision!: Opt<number>;
  @Property({ type: 'text', nullable: true }) idempotencyKey!: string | null;
  @Property({ type: 'text' }) requestHash!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'integer', nullable: true }) sshPort!: number | null;
  @Property({ type: 'boolean', default: false }) joinsNetwork!: Opt<boolean>;
  @Property({ type: 'text', nullable: true }) applicationHealth!: string | null;
}
