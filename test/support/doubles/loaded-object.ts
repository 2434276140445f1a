import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { decoderProgram } from '../../../src/infrastructure/decoder-program.ts';

/** What code does that a file has brought into a decoder. Each begins when a file exists, which it removes if it may. */
const ACTIONS = {
  /** A grandchild in a session of its own, whose parent ends at once. */
  leavesProcess: `
    pid_t child = copy();
    if (child == 0) {
      setsid();
      if (copy() == 0) for (;;) pause();
      _exit(0);
    }
    waitpid(child, 0, 0);`,
  /** Stops the service. */
  stopsParent: 'kill(getppid(), SIGSTOP);',
  /** Stops each process of its user that starts within a second and a half: other decoders, and prlimit that freezes them. */
  stopsProcesses: `
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
      for (pid_t pid = getpid() + 1; pid < getpid() + 3000; pid++) kill(pid, SIGSTOP);
      clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 1500);`,
  /**
   * The trigger is a symbolic link to a picture. Renames the picture to `.env` in the folder of the trigger, and kills the service. The
   * decoder ends even if neither is allowed.
   */
  replacesEnv: `
    if (target[0] == 0) return unused;
    rename(target, ENV);
    kill(getppid(), SIGKILL);
    _exit(0);`,
} as const;

export type Action = keyof typeof ACTIONS;

/** The thread waits until the decoder is confined: before that, no byte of a client has been read. */
function sourceOf(action: Action, trigger: string): string {
  return `
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Without the handlers of libuv for fork, which need descriptors. */
static pid_t copy(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

static const char ENV[] = ${JSON.stringify(join(dirname(trigger), '.env'))};

static void *run(void *unused) {
  struct rlimit files;
  char target[4096] = "";
  do {
    usleep(2000);
    getrlimit(RLIMIT_NOFILE, &files);
  } while (files.rlim_max != 0 || geteuid() == 0 || access(${JSON.stringify(trigger)}, F_OK) != 0);
  /* The other threads become another user at the same time. */
  usleep(100000);
  readlink(${JSON.stringify(trigger)}, target, sizeof target - 1);
  unlink(${JSON.stringify(trigger)});
  ${ACTIONS[action]}
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
}
`;
}

/**
 * Writes a program that is the built decoder with a shared object loaded into it. Needs a compiler of C.
 *
 * @returns the path of the program
 */
export async function writeDecoderWithObject(
  folder: string,
  action: Action,
  trigger: string,
): Promise<string> {
  const [source, object] = [join(folder, 'object.c'), join(folder, 'object.so')];
  await writeFile(source, sourceOf(action, trigger));
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-pthread', '-Wl,-z,nodelete', '-o', object, source]);
  const program = join(folder, 'decoder.cjs');
  await writeFile(
    program,
    `
try {
  process.dlopen({ exports: {} }, ${JSON.stringify(object)});
} catch {
  // It is no module of Node.js, but its constructor has run.
}
require(${JSON.stringify(decoderProgram())});
`,
  );
  return program;
}
