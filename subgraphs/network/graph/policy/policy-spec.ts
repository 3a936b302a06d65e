import { ArgsType, Field } from 'type-graphql';
import { PolicyActionEnum, ProtocolEnum, type PolicyAction, type Protocol } from './policy.js';

/** What a policy may be asked to say, beside its groups. */
@ArgsType()
export class PolicySpecArgs {
  @Field(() => String, {
    nullable: true,
    description: '1 to 128 characters; a new policy is named `<source>-to-<destination>`.',
  })
  name?: string | null;

  @Field(() => ProtocolEnum, { nullable: true, description: 'A new policy speaks of `all`.' })
  protocol?: Protocol | null;

  @Field(() => [String], {
    nullable: true,
    description: '`80` or `8000-8100`; ignored with protocol `all`, refused with `icmp`.',
  })
  ports?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'A new policy holds both ways.' })
  bidirectional?: boolean | null;

  @Field(() => PolicyActionEnum, { nullable: true, description: 'A new policy accepts.' })
  action?: PolicyAction | null;

  @Field(() => Boolean, { nullable: true, description: 'A new policy is in force.' })
  enabled?: boolean | null;
}
