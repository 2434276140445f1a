import { expect } from 'chai';
import {
  type Job,
  PUBLISH_WORKFLOW,
  readProjectFile,
  readPublishWorkflow,
  type Step,
} from './publish-workflow.ts';

/** Trusted publishing needs npm 11.5.1, which Node.js has from this version on. */
const LEAST_NODE = 24;
/** The keys that GitHub knows and this workflow may need. A key with a typing error would be ignored or refused there. */
const KEYS = {
  workflow: ['name', 'on', 'permissions', 'jobs'],
  job: ['needs', 'strategy', 'runs-on', 'timeout-minutes', 'environment', 'permissions', 'steps'],
  step: ['name', 'uses', 'with', 'run', 'env', 'working-directory'],
};
/** Of `npm`, not scripts of the project. */
const COMMANDS_OF_NPM = ['ci', 'publish'];

interface Manifest {
  readonly name: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readProjectFile(`${folder}package.json`)) as Manifest;
}

function stepsOf(job: Job, action: string): readonly Step[] {
  return job.steps.filter(({ uses }) => uses?.startsWith(`${action}@`));
}

const workflow = readPublishWorkflow();
const { release, publish } = workflow.jobs;
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);
const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

describe(PUBLISH_WORKFLOW, () => {
  it('has only keys of workflows, and each step either uses an action or runs something', () => {
    expect(KEYS.workflow).to.include.members(Object.keys(workflow));
    expect(Object.keys(workflow.jobs)).to.deep.equal(['release', 'publish']);
    for (const job of jobs) expect(KEYS.job).to.include.members(Object.keys(job));
    for (const step of steps) {
      expect(KEYS.step).to.include.members(Object.keys(step));
      expect([step.uses, step.run].filter((kind) => kind !== undefined)).to.have.length(1);
    }
  });

  it('runs for tags of versions alone', () => {
    expect(workflow.on).to.deep.equal({ push: { tags: ['v*'] } });
  });

  it('gives the right to publish to the job that runs no code of the project or of its packages', () => {
    expect(workflow.permissions).to.deep.equal({});
    expect(release.permissions).to.deep.equal({ contents: 'read' });
    expect(publish.permissions).to.deep.equal({ 'id-token': 'write' });
    expect([publish.needs, publish.environment]).to.deep.equal(['release', 'npm']);
    expect(stepsOf(publish, 'actions/checkout')).to.deep.equal([]);
    const commands = publish.steps.flatMap(({ run = '' }) => run.match(/\bnpm \S+/g) ?? []);
    expect(commands).to.deep.equal(['npm publish']);
    expect(readProjectFile(PUBLISH_WORKFLOW)).not.to.include('secrets.');
  });

  it('pins each action to a commit, and says its version', () => {
    const lines = readProjectFile(PUBLISH_WORKFLOW)
      .split('\n')
      .filter((line) => line.includes('uses:'));

    expect(lines).to.have.length(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) {
      expect(line).to.match(/^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('keeps no credentials of git and no cache of packages', () => {
    for (const { with: inputs } of stepsOf(release, 'actions/checkout')) {
      expect(inputs).to.deep.equal({ 'persist-credentials': false });
    }
    for (const { with: inputs } of jobs.flatMap((job) => stepsOf(job, 'actions/setup-node'))) {
      expect(inputs).to.have.property('package-manager-cache', false);
    }
  });

  it('runs in a Node.js that the project supports and whose npm publishes without a token', () => {
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(manifestOf('').engines.node) ?? [];
    const nodes = jobs.flatMap((job) => stepsOf(job, 'actions/setup-node'));

    expect(nodes).to.have.length(jobs.length);
    for (const { with: inputs } of nodes) {
      expect(inputs?.['node-version'])
        .to.be.at.least(LEAST_NODE)
        .and.above(Number(`${major}.${minor}`));
    }
  });

  it('runs scripts of npm that exist', () => {
    const { scripts } = manifestOf('');
    const names = runs.flatMap((run) =>
      [...run.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name),
    );

    expect(names).to.deep.equal(['ci', 'test', 'release', 'publish']);
    for (const name of names) {
      if (!COMMANDS_OF_NPM.includes(name)) expect(scripts).to.have.property(name);
    }
  });

  it('publishes each package of the project from the release that it has made', () => {
    const tarballs = ['', 'client/', 'mcp/'].map((folder) =>
      manifestOf(folder).name.replace('@', '').replace('/', '-'),
    );
    const [made] = stepsOf(release, 'actions/upload-artifact');
    const [taken] = stepsOf(publish, 'actions/download-artifact');

    expect(publish.strategy?.matrix['package']).to.have.members(tarballs);
    expect(made?.with?.['name']).to.equal(taken?.with?.['name']);
    expect([made?.with?.['path'], taken?.with?.['path']]).to.deep.equal(['release/', 'release']);
    expect(runs).to.include('npm run release -- --out release --with-repository');
    expect(runs.at(-1)).to.include('"./release/$PACKAGE-${GITHUB_REF_NAME#v}.tgz" --provenance');
  });

  it('puts values of the event into no script', () => {
    for (const run of runs) expect(run).not.to.include('${{');
  });
});
