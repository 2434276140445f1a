// Preloaded into a process under test. SIGUSR2 starts a job on a thread of libuv's pool that takes hours and cannot be interrupted.
const { pbkdf2 } = require('node:crypto');

const MOST_ITERATIONS = 2 ** 31 - 1;

process.on('SIGUSR2', () => {
  pbkdf2('', '', MOST_ITERATIONS, 64, 'sha512', () => undefined);
  console.log(JSON.stringify({ msg: 'a thread is busy' }));
});
