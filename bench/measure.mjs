// One contender, one workload, one size, in a process of its own: prints what it costs as JSON.
//   node --expose-gc measure.mjs <contender> <workload> <count> [warm-up ms] [measuring ms]

/** Measures CPU time; a workload may start it late and stop it early, to leave out what it prepares and checks. */
class Clock {
  #from;
  #spent;

  start() {
    this.#spent = undefined;
    this.#from = process.cpuUsage();
  }

  stop() {
    if (this.#spent !== undefined) return;
    const { user, system } = process.cpuUsage(this.#from);
    this.#spent = user + system;
  }

  /** Microseconds. */
  get spent() {
    return this.#spent;
  }
}

async function cost(run) {
  const clock = new Clock();
  clock.start();
  await run(clock);
  clock.stop();
  return clock.spent;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** CPU time of the process in milliseconds; on a busy machine there is less of it in a second. */
function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs it until its code is warm: small first, for so long; then at its size. Gives what the last run cost. */
async function warmUp(workload, count, milliseconds) {
  const small = workload(Math.min(count, 1000));
  const until = cpuTime() + milliseconds;
  do await cost(small);
  while (cpuTime() < until);
  return cost(workload(count));
}

/**
 * The median cost of a run, of repetitions that last long enough to be measured. The heap is left to itself: a collection
 * that is forced between two of them throws optimized code away with the last objects of a shape.
 */
async function measure(run, once, milliseconds) {
  const runs = Math.max(1, Math.ceil(40_000 / Math.max(once, 1)));
  const repetitions = [];
  const until = cpuTime() + milliseconds;
  do {
    let spent = 0;
    for (let at = 0; at < runs; at++) spent += await cost(run);
    repetitions.push(spent / runs);
  } while (cpuTime() < until || (repetitions.length < 3 && once < 1_000_000));
  return median(repetitions);
}

/** Bytes that one of `count` things takes, all of them held at once. */
async function memory(workload, count) {
  await workload(100)();
  gc();
  gc();
  const before = process.memoryUsage().heapUsed;
  const held = await workload(count)();
  gc();
  gc();
  return (process.memoryUsage().heapUsed - before) / held.length;
}

const [contender, name, size, warm = 2000, milliseconds = 300] = process.argv.slice(2);
const count = Number(size);
const { workloads } = await import(`./contenders/${contender}.mjs`);
const workload = workloads[name];
if (!workload) throw new Error(`${contender} has no workload ${name}`);

if (name === "idle" || name === "rested") {
  console.log(JSON.stringify({ bytes: await memory(workload, count) }));
} else {
  const once = await warmUp(workload, count, Number(warm));
  console.log(JSON.stringify({ microseconds: await measure(workload(count), once, Number(milliseconds)) }));
}
process.exit(); // some libraries keep timers
