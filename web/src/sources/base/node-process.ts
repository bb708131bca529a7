// Processes of this machine. Locks and temporary files carry the id of theirs.

/** False for a process that has ended. One of another user runs, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
