// Counts the processes of the service, its commands and its decoders that this process starts, in the file that
// STARTED_PROCESSES names. The tests load it, and every service that they start loads it by NODE_OPTIONS.
'use strict';
const { appendFileSync } = require('node:fs');
const { subscribe } = require('node:diagnostics_channel');

const KINDS = [
  ['decoder', 'decoder.cjs'],
  ['service', 'image-catalog.cjs'],
];

subscribe('child_process', ({ process: child }) => {
  // The channel reports a process before its arguments are known.
  queueMicrotask(() => {
    const command = (child.spawnargs ?? []).join(' ');
    const kind = KINDS.find(([, program]) => command.includes(program))?.[0];
    const file = process.env.STARTED_PROCESSES;
    if (kind === undefined || file === undefined) return;
    try {
      appendFileSync(file, `${kind}\t${process.env.CURRENT_TEST ?? ''}\n`);
    } catch {
      // A service of another user must not fail for it.
    }
  });
});
