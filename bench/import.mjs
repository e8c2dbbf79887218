// Imports a package in a process of its own and prints what that costs as JSON.
const began = performance.now();
const from = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(from);
console.log(JSON.stringify({ wall: (performance.now() - began) * 1000, cpu: user + system }));
process.exit();
