import { expect } from 'chai';
import { stopService } from '../../src/infrastructure/start/stop-service.ts';
import { Gate } from '../support/time/gate.ts';

const GRACE_MS = 0;

describe('stopService', () => {
  it('ends the decoders before it waits for requests whose connections are gone, and closes the storage last', async () => {
    const steps: string[] = [];
    const decodersEnded = new Gate();

    await stopService(
      {
        listeners: { servers: [] },
        telemetry: {
          underWay: {
            idle: async () => {
              await decodersEnded.opened;
              steps.push('the upload has removed what it had stored');
            },
          },
        },
        decoders: {
          stop: async () => {
            steps.push('decoders end');
            decodersEnded.open();
          },
        },
        atOnce: [() => steps.push('streams end')],
        background: [],
        close: async () => steps.push('storage closed'),
      },
      GRACE_MS,
    );

    expect(steps).to.deep.equal([
      'streams end',
      'decoders end',
      'the upload has removed what it had stored',
      'storage closed',
    ]);
  });
});
