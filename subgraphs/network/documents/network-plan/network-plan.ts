import { Field, Int, ObjectType } from 'type-graphql';
import { NetworkChangeItem } from '../../graph/history/history.js';
import { PolicyPlan } from '../../views/reachability/reachability.js';

@ObjectType({ description: 'The effect of a change of the network before it is made.', simpleResolvers: true })
export class NetworkPlan extends PolicyPlan {
  @Field(() => Int, { description: 'Revision of the graph that was planned; `applyNetwork` needs it.' })
  graphRevision!: number;

  @Field(() => [NetworkChangeItem], {
    description: 'The rows that would change, in order. New rows of a document get other ids when it is applied.',
  })
  items!: NetworkChangeItem[];
}
