// The operators for UIs, over the events of a run: 200 items before it, and a reader who takes the items of each picture.
import { conversation } from "pi-agent-rx/operators";
import { Observable } from "rxjs";
import { answerInDeltas, assistant, text, user } from "../models.mjs";

const before = Array.from({ length: 100 }, (_, turn) => [
  user(`question ${turn}`),
  assistant([text(`answer ${turn}`)], "stop"),
]).flat();

/** The events that an agent tells of one answer, made as they are asked for. */
function* eventsOf(answer) {
  yield { type: "agent_start" };
  yield { type: "turn_start" };
  for (const event of answer) {
    const message = { ...(event.partial ?? event.message) };
    if (event.type === "start") yield { type: "message_start", message };
    else if (event.type === "done") yield { type: "message_end", message };
    else yield { type: "message_update", message, assistantMessageEvent: event };
  }
  yield { type: "turn_end", message: undefined, toolResults: [] };
  yield { type: "agent_end", messages: [], outcome: "completed" };
}

export const workloads = {
  conversation: (count) => async () => {
    const events$ = new Observable((observer) => {
      for (const event of eventsOf(answerInDeltas(count))) observer.next(event);
      observer.complete();
    });
    let items;
    let pictures = 0;
    events$.pipe(conversation(before)).subscribe((view) => {
      items = view.items;
      pictures++;
    });
    const answer = items.at(-1);
    if (items.length !== 201) throw new Error(`expected 201 items, got ${items.length}`);
    if (answer.text.length !== count) throw new Error(`${answer.text.length} characters for ${count} deltas`);
    if (pictures < count) throw new Error(`${pictures} pictures for ${count} deltas`);
  },
};
