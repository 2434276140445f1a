import { ignoreClosedOutput } from './commands/command-line/ignore-closed-output.ts';
import { runCommand } from './run-command.ts';

const args = process.argv.slice(2);
// The log of the service writes to the file descriptor, and handles its errors itself.
if (args.length > 0 && args[0] !== 'serve') ignoreClosedOutput();
process.exitCode = await runCommand(args);
