import { leave, signIn } from '../support/visits.ts';

/** By a person who has signed in, and goes on from test to test. */
export function describeFeature(title: string, define: () => void): void {
  describe(title, () => {
    before(() => signIn());
    after(leave);
    define();
  });
}
