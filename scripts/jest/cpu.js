import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds of this process and its descendants; without /proc only of this process. */
export function cpuSeconds() {
  const processes = readProcesses();
  return processes.size === 0 ? ownSeconds() : sumOf(processes, process.pid);
}

/** Returns the CPU seconds of the running descendants of this process. */
export function cpuSecondsOfChildren() {
  const processes = readProcesses();
  return childrenIn(processes).reduce((sum, pid) => sum + sumOf(processes, pid), 0);
}

/** Starts to count CPU seconds, without the children that run already. @returns a function that reads the count */
export function startCpuMeter() {
  const before = childrenIn(readProcesses());
  const read = () => {
    const processes = readProcesses();
    for (const pid of before) processes.delete(pid);
    return processes.size === 0 ? ownSeconds() : sumOf(processes, process.pid);
  };
  const start = read();
  return () => read() - start;
}

function childrenIn(processes) {
  return [...processes].filter(([, { parent }]) => parent === process.pid).map(([pid]) => pid);
}

function sumOf(processes, root) {
  let ticks = processes.get(root)?.ticks ?? 0;
  for (const [pid, { parent }] of processes) if (parent === root) ticks += sumOf(processes, pid) * TICKS_PER_SECOND;
  return ticks / TICKS_PER_SECOND;
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readProcesses() {
  const stats = listPids().map((pid) => [pid, readStat(pid)]);
  return new Map(stats.filter(([, stat]) => stat !== undefined));
}

function listPids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The ticks include those of terminated children: proc(5), fields 14 to 17. */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
