import * as operators from "pi-agent-rx/operators";
import type { DiagramPolicy } from "pi-agent-rx/testing";

/** Waits that a drawing can hold. */
const retries = { backoff: 3, jitter: 0 };

/** The policies of `pi-agent-rx/operators` by name; the options of a diagram are those of the policy. */
export const policies: Record<string, DiagramPolicy> = {
  approval: ({ argument, input, show }) => {
    const needed = argument<string | undefined>();
    const policy = operators.approval(
      input("decisions"),
      needed === undefined ? {} : { needed: ({ tool }) => tool.name === needed },
    );
    policy.pending$.subscribe(show);
    return policy;
  },
  composePolicies: ({ argument }) =>
    operators.composePolicies(
      operators.idleTimeout(argument()),
      operators.retryResponse(retries),
      operators.totalTimeout(argument(1)),
    ),
  fallbackTo:
    ({ argument }) =>
    (request: Parameters<operators.ResponsePolicy>[0]) =>
      operators.fallbackTo({ ...request.model, id: argument() })(request),
  idleTimeout: ({ argument }) => operators.idleTimeout(argument()),
  limits: ({ argument }) => operators.limits(argument()),
  memoizeTool: ({ argument }) => operators.memoizeTool(argument()),
  rateLimit: ({ argument }) => operators.rateLimit(new operators.RateBudget(argument())),
  retryResponse: ({ argument }) => operators.retryResponse({ ...retries, ...argument<object>() }),
  retryTool: ({ argument }) => operators.retryTool({ ...retries, ...argument<object>() }),
  toolTimeout: ({ argument }) => operators.toolTimeout(argument()),
  totalTimeout: ({ argument }) => operators.totalTimeout(argument()),
};
