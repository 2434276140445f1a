import { expect } from 'chai';
import { parseCall } from '../../src/infrastructure/commands/command-line/parse-call.ts';
import { COMMANDS } from '../../src/infrastructure/commands/commands.ts';
import { rejection } from '../support/fixtures/rejection.ts';

/** Each with a part of what is said about it. */
const WRONG_CALLS: ReadonlyArray<readonly [call: string, explanation: string]> = [
  ['serve --port=1', "Unknown option '--port'"],
  ['serve now', 'serve takes only options'],
  ['init --provider myspace', '--provider must be one of auth0, keycloak,'],
  ['init --issuer id.example.com', '--issuer must be an https URL such as https://'],
  ['init --audience "a"', '--audience must be a text without quotes'],
  ['init --client "a"', '--client must be a text without quotes'],
  ['init --files podman', '--files must be one of systemd, compose, none'],
  ['doctor --token abc', '--token must be -: the token is read from standard input'],
  ['doctor --format xml', '--format must be one of text, json'],
  ['verify --format xml', '--format must be one of json, table'],
  ['verify --sample 0%', '--sample must be a percentage'],
  ['verify --sample 101%', '--sample must be a percentage'],
  ['verify --sample some', '--sample must be a percentage'],
  ['verify --metrics a --resume b', '--metrics and --resume exclude each other'],
  ['verify --repair-counters --sample 1%', '--repair-counters and --sample exclude each other'],
  ['rotate-link-key --revoke=now', "Option '--revoke' does not take an argument"],
  ['changes --after :', '--after must be a cursor'],
  ['webhooks resume', 'webhooks takes only options, or resume N|URL, or replay N|URL'],
  ['webhooks replay 1', 'webhooks replay needs --after'],
  ['import there --url http://x --direct', '--url and --direct exclude each other'],
  ['import', 'import takes FOLDER'],
  ['import . --jobs 0', '--jobs must be a whole number from 1 to 64'],
  ['import . --jobs -5', "Option '--jobs' argument is ambiguous"],
  ['import . --jobs 65', '--jobs must be a whole number from 1 to 64'],
  ['import . --space cats', '--space needs --direct'],
  ['import . --direct --space a\tb', '--space must be a space'],
  ['export one --since yesterday', '--since must be a day'],
  ['export one --since 2026-02-31T00:00:00Z', '--since must be a day'],
  ['export one --since 2026-02-01T00:00:00', '--since must be a day'],
  [`export one --created-by ${'a'.repeat(256)}`, '--created-by must be 1 to 255 characters'],
  ['export one --space cats --url http://x', '--space needs --direct'],
  ['spaces --yes', "Unknown option '--yes'"],
  ['spaces set cats --max-bytes 1e3', '--max-bytes must be a whole number, none, or default'],
  ['spaces set cats --max-images 9007199254740992', '--max-images must be a whole number'],
  ['spaces set cats --max-bytes 1 --yes', "Unknown option '--yes'"],
  ['spaces set a\u007fb --max-bytes 1', 'NAME must be a space'],
  ['spaces assign cats', 'spaces takes only options, or set NAME, or assign FROM TO'],
  ['spaces remove cats', 'spaces remove needs --yes'],
  ['spaces remove -- cats --yes', 'names that begin with a hyphen stand behind --'],
  ['transfer --to-database', "Option '--to-database <value>' argument missing"],
  ['backup', 'backup takes DIR'],
];

/** For calls that are found wrong when they are run, before anything is opened. */
const WRONG_TOGETHER: ReadonlyArray<readonly [call: string, explanation: string]> = [
  ['transfer', 'transfer needs --to-database, --to-blobs or both'],
  ['spaces set cats', 'set needs --max-bytes, --max-images or both'],
  ['spaces assign cats cats', 'assign needs two names'],
  ['import there', 'FOLDER cannot be read'],
  ['init --yes', 'init needs --issuer'],
  ['init --yes --issuer https://id.example.com/', 'init needs --audience'],
];

async function parse(call: string): Promise<() => Promise<number>> {
  const [name = '', ...args] = call.split(' ');
  const command = await COMMANDS[name]?.();
  if (command === undefined) throw new TypeError(`There is no command ${name}`);
  return parseCall(name, command, args);
}

/** By its name: a command that is imported here has another class of this name. */
async function expectUsageError(work: Promise<unknown>, explanation: string): Promise<void> {
  const error = await rejection(work);
  expect(error.constructor.name).to.equal('UsageError');
  expect(error.message).to.include(explanation);
}

describe('A command', () => {
  for (const [call, explanation] of WRONG_CALLS) {
    it(`rejects the call "${call}"`, () => expectUsageError(parse(call), explanation));
  }

  for (const [call, explanation] of WRONG_TOGETHER) {
    it(`rejects the call "${call}" when it runs`, async () => {
      await expectUsageError((await parse(call))(), explanation);
    });
  }
});
