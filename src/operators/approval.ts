import { validateToolArguments } from "@earendil-works/pi-ai";
import {
  BehaviorSubject,
  concatMap,
  defer,
  filter,
  finalize,
  map,
  take,
  takeUntil,
  tap,
  throwIfEmpty,
} from "rxjs";
import type { Observable } from "rxjs";
import { errorText } from "../internal/errorText";
import { whenAborted } from "../internal/whenAborted";
import type { ToolCallRequest } from "../types/config";
import type { AgentToolCall } from "../types/messages";
import type { ToolCallPolicy } from "./ToolCallPolicy";

/** What a user decides about a call. */
export type ApprovalDecision = { toolCallId: string } & (
  | { action: "approve" }
  /** The call gets an error result with this text. */
  | { action: "deny"; reason?: string }
  /** The tool runs with these arguments instead. */
  | { action: "edit"; args: unknown }
);

/** A call that waits for a decision. */
export interface PendingApproval {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
  /** What was wrong with the arguments of the last `edit`. The call still waits. */
  readonly error?: string;
}

/** The policy, and the calls that wait. */
export interface Approval extends ToolCallPolicy {
  /** The calls that wait, oldest first: now, and at each change. */
  readonly pending$: Observable<readonly PendingApproval[]>;
}

/** Which calls {@link approval} asks about. */
export interface ApprovalOptions {
  /** @defaultValue every call */
  needed?: (call: ToolCallRequest) => boolean;
}

interface Waiting {
  call: ToolCallRequest;
  error?: string;
}

/** Says whether the call may run; false when the edit was not valid. */
function settle(waiting: Waiting, decision: ApprovalDecision): boolean {
  const { call } = waiting;
  if (decision.action === "deny") throw new Error(decision.reason ?? `The user denied "${call.tool.name}"`);
  if (decision.action === "approve") return true;
  try {
    const args = decision.args as AgentToolCall["arguments"];
    // The stage reads the arguments of the request when the tool is subscribed to.
    call.args = validateToolArguments(call.tool, { ...call.toolCall, arguments: args });
    return true;
  } catch (error) {
    waiting.error = errorText(error);
    return false;
  }
}

/**
 * Holds each call until a user has decided about it.
 *
 * @param decisions$ - Hot: a call sees the decisions made while it waits. When it ends, calls that wait are denied.
 * @remarks For `operators.toolCall`, outside of timeouts and retries. Many calls may wait at once, each for the decision with
 * its `toolCallId`; of calls that share one, the oldest is meant. Edited arguments are validated, and an edit that fails
 * leaves the call waiting, with `error`. The transcript keeps the arguments of the model. An abort ends the wait at
 * once, and the tool does not run.
 * @example
 * ```ts
 * import { Agent } from "pi-agent-rx";
 * import { approval, type ApprovalDecision } from "pi-agent-rx/operators";
 * import { Subject } from "rxjs";
 *
 * const decisions$ = new Subject<ApprovalDecision>();
 * const toolCall = approval(decisions$, { needed: ({ tool }) => tool.name === "write" });
 * toolCall.pending$.subscribe(([call]) => {
 *   if (call) decisions$.next({ toolCallId: call.toolCallId, action: "approve" });
 * });
 * const polite = new Agent({ initialState: { model }, streamFn, operators: { toolCall } });
 * await polite.prompt("Hello");
 * ```
 */
export function approval(
  decisions$: Observable<ApprovalDecision>,
  { needed = () => true }: ApprovalOptions = {},
): Approval {
  const list: Waiting[] = [];
  const taken = new WeakSet<ApprovalDecision>();
  const pending$ = new BehaviorSubject<readonly PendingApproval[]>([]);
  const show = () =>
    pending$.next(
      list.map(({ call: { toolCall, args }, error }) => {
        const pending = { toolCallId: toolCall.id, toolName: toolCall.name, args };
        return error === undefined ? pending : { ...pending, error };
      }),
    );
  const leave = (waiting: Waiting) => {
    const at = list.indexOf(waiting);
    if (at < 0) return;
    list.splice(at, 1);
    show();
  };
  const isFor = (waiting: Waiting, decision: ApprovalDecision) => {
    const oldest = list.find(({ call }) => call.toolCall.id === decision.toolCallId);
    if (oldest !== waiting || taken.has(decision)) return false;
    taken.add(decision);
    return true;
  };
  const policy: ToolCallPolicy = (call) => (result$) => {
    if (!needed(call)) return result$;
    return defer(() => {
      const waiting: Waiting = { call };
      list.push(waiting);
      const decided$ = decisions$.pipe(
        filter((decision) => isFor(waiting, decision)),
        map((decision) => settle(waiting, decision)),
        tap((isDecided) => {
          if (!isDecided) show();
        }),
        filter(Boolean),
        take(1),
        throwIfEmpty(() => new Error(`Nobody decided about "${call.tool.name}"`)),
        takeUntil(whenAborted(call.signal)),
        finalize(() => leave(waiting)),
      );
      show();
      return decided$.pipe(concatMap(() => result$));
    });
  };
  return Object.assign(policy, { pending$: pending$.asObservable() });
}
