import { command } from './command-line/command.ts';

export const demo = command({
  summary: 'to try it: service, gallery and an identity provider, for this machine only',
  run: async () => await (await import('../../../demo/run-demo.ts')).runDemo(),
});
