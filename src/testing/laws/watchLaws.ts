import { LawViolation } from "../LawViolation";
import type { RecordingEntry } from "../Recording";
import { laws } from "./laws";

/** Follows a run and gives the first violation of any law; after one, the rest says nothing more that counts. */
export function watchLaws() {
  const watches = laws.map((law) => ({ name: law.name, watch: law.watch() }));
  return {
    see(entry: RecordingEntry): LawViolation | undefined {
      for (const { name, watch } of watches) {
        const complaint = watch.see(entry);
        if (complaint !== undefined) return new LawViolation(name, complaint, entry);
      }
      return undefined;
    },
    end(): LawViolation | undefined {
      for (const { name, watch } of watches) {
        const complaint = watch.end?.();
        if (complaint !== undefined) return new LawViolation(name, complaint);
      }
      return undefined;
    },
  };
}
