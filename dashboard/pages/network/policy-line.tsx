import { BaseEdge, EdgeLabelRenderer, useInternalNode, type EdgeProps, type InternalNode } from '@xyflow/react';
import { memo } from 'react';
import type { PolicyModel } from '../../topology/model';
import type { PolicyLine } from './graph/boxes';
import { pathBetween } from './graph/path';

/** A policy as a line from box to box: solid when every machine of both groups runs it. */
export const PolicyLineView = memo(function PolicyLineView({
  id,
  source,
  target,
  data,
  selected,
}: EdgeProps<PolicyLine>) {
  const from = useInternalNode(source);
  const to = useInternalNode(target);
  if (!from || !to || !data) return null;
  const { policy, rank, isDim } = data;
  const { action, bidirectional } = policy.edge.meta;
  const { path, middle } = pathBetween(boxOf(from), boxOf(to), rank);
  const tone = action === 'drop' ? 'drop' : 'accept';
  const classes = ['policy-line', tone, stateOf(policy), selected && 'selected', isDim && 'dim']
    .filter(Boolean)
    .join(' ');
  const marker = `url(#policy-${tone})`;
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={classes}
        interactionWidth={18}
        markerEnd={marker}
        {...(bidirectional === true && { markerStart: marker })}
      />
      <EdgeLabelRenderer>
        <span
          className={`policy-label ${classes}`}
          style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
        >
          {action === 'drop' && 'drop '}
          {policy.traffic}
        </span>
      </EdgeLabelRenderer>
    </>
  );
});

function boxOf({ internals: { positionAbsolute }, measured }: InternalNode) {
  return { ...positionAbsolute, width: measured.width ?? 0, height: measured.height ?? 0 };
}

function stateOf({ edge, isInForce }: PolicyModel): 'disabled' | 'in-force' | 'pending' {
  if (edge.meta.enabled === false) return 'disabled';
  return isInForce ? 'in-force' : 'pending';
}

/** The arrow heads of policies. */
export function PolicyMarkers() {
  return (
    <svg className="policy-markers" aria-hidden>
      <defs>
        {['accept', 'drop'].map((tone) => (
          <marker
            key={tone}
            id={`policy-${tone}`}
            className={tone}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="11"
            markerHeight="11"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0 1 10 5 0 9z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
