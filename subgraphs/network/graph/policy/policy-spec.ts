import { ArgsType, Field, InputType } from 'type-graphql';
import { PolicyActionEnum, ProtocolEnum, type PolicyAction, type Protocol } from './policy.js';

/** Optional arguments of a policy, without its groups. */
@ArgsType()
@InputType()
export class PolicySpecArgs {
  @Field(() => String, {
    nullable: true,
    description: '1 to 128 characters. Default of a new policy: `<source>-to-<destination>`.',
  })
  name?: string | null;

  @Field(() => ProtocolEnum, { nullable: true, description: 'Default of a new policy: `all`.' })
  protocol?: Protocol | null;

  @Field(() => [String], {
    nullable: true,
    description: '`80` or `8000-8100`. Ignored with protocol `all`, refused with `icmp`.',
  })
  ports?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Default of a new policy: true.' })
  bidirectional?: boolean | null;

  @Field(() => PolicyActionEnum, { nullable: true, description: 'Default of a new policy: `accept`.' })
  action?: PolicyAction | null;

  @Field(() => Boolean, { nullable: true, description: 'Default of a new policy: true.' })
  enabled?: boolean | null;
}
