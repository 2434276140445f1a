/** Makes what a contract is about before each test, and tears it down behind it. */
export function madeForEach<Made extends { tearDown(): Promise<void> }>(
  setUp: () => Promise<Made>,
  onMade: (fresh: Made) => void,
): void {
  let made: Made;

  beforeEach(async () => {
    made = await setUp();
    onMade(made);
  });

  afterEach(async () => {
    await made.tearDown();
  });
}
